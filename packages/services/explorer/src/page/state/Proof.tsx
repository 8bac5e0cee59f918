import { useState } from "react";
import { reasonOf } from "../../data/node.js";
import type { Continuation, Datum, StateEntriesResponse } from "../../data/stateEntries.js";
import { Icon } from "../../part/Icon.js";
import { dialectOfBlock } from "../block/readBlock.js";
import { proofTermsOf } from "./proofTermsOf.js";

type Check = { readonly state: "none" | "asked" } | { readonly state: "proven" | "refused"; readonly words: string };

interface ProofProps {
  readonly kind: "data" | "continuations";
  readonly told: StateEntriesResponse<Datum | Continuation>;
  readonly blockHash: string;
  readonly nameBytes: string;
}

/** Checks here what the node says; the code for it comes when it is wanted. */
export function Proof({ kind, told, blockHash, nameBytes }: ProofProps) {
  const [check, setCheck] = useState<Check>({ state: "none" });
  const prove = async () => {
    setCheck({ state: "asked" });
    try {
      const { proveEntries } = await import("./proveEntries.js");
      const terms = await proofTermsOf(await dialectOfBlock(blockHash));
      const asked = { kind, blockHash, nameBytes, told: told.entries.flatMap(bytesOf) };
      const { count } = proveEntries(told.proof, asked, terms);
      const words = count === 0 ? "nothing is there" : `${count} ${count === 1 ? "entry" : "entries"}, as told`;
      setCheck({ state: "proven", words });
    } catch (error) {
      setCheck({ state: "refused", words: reasonOf(error) });
    }
  };
  if (check.state === "proven")
    return (
      <span className="badge good" role="status">
        <Icon name="done" size={14} /> Proven: {check.words}
      </span>
    );
  return (
    <span className="buttons">
      {check.state === "refused" && (
        <span className="badge bad" role="alert">
          Not proven: {check.words}
        </span>
      )}
      <button type="button" className="button small" disabled={check.state === "asked"} onClick={() => void prove()}>
        <Icon name="shield" /> {check.state === "asked" ? "Checking…" : "Prove it"}
      </button>
    </span>
  );
}

function bytesOf(entry: Datum | Continuation): string[] {
  const terms = "values" in entry ? entry.values : entry.binds.flatMap(({ patterns }) => patterns);
  return terms.map(({ bytes }) => bytes ?? "");
}
