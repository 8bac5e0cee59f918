import type { Continuation, Datum, StateEntriesResponse } from "../../data/stateEntries.js";
import { Prove } from "../../part/Prove.js";
import { dialectOfBlock } from "../block/readBlock.js";
import { proofTermsOf } from "./proofTermsOf.js";

interface ProofProps {
  readonly kind: "data" | "continuations";
  readonly response: StateEntriesResponse<Datum | Continuation>;
  readonly blockHash: string;
  readonly nameBytes: string;
}

/** Checks here what the node says; the code for it comes when it is wanted. */
export function Proof({ kind, response, blockHash, nameBytes }: ProofProps) {
  const check = async () => {
    const { proveEntries } = await import("./proveEntries.js");
    const terms = await proofTermsOf(await dialectOfBlock(blockHash));
    const asked = { kind, blockHash, nameBytes, reported: response.entries.flatMap(bytesOf) };
    const { count } = proveEntries(response.proof, asked, terms);
    return count === 0 ? "nothing is there" : `${count} ${count === 1 ? "entry" : "entries"}, as reported`;
  };
  return <Prove check={check} />;
}

function bytesOf(entry: Datum | Continuation): string[] {
  const terms = "values" in entry ? entry.values : entry.binds.flatMap(({ patterns }) => patterns);
  return terms.map(({ bytes }) => bytes ?? "");
}
