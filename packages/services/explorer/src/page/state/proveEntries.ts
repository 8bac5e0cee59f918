import { fromHex } from "@vedette/client";
import { type StateKind, type StateProofJson, verifyStateProof } from "@vedette/client/proof";
import { toHex } from "@vedette/crypto";
import type { Par } from "@vedette/terms";
import type { ProofTerms } from "./ProofTerms.js";

/** What was proven of a name, in words and numbers. */
export interface ProvenEntries {
  /** The name, printed from the proof itself. */
  readonly name: string;
  readonly count: number;
  /** The bytes of each term that lies there, in the order of the proof; of continuations their patterns. */
  readonly terms: readonly string[];
}

/**
 * Checks what a node says that a state holds below a name, from the hash of a block on.
 *
 * @param reported  the bytes of the terms that the node returned, in hex
 * @param nameBytes the bytes of the name that it answered about
 * @param terms     of the network that the block is of
 * @throws {StateProofError} where the proof does not lead from the block to the entries; {Error} where it leads to others
 */
export function proveEntries(
  proof: StateProofJson | undefined,
  asked: {
    readonly kind: StateKind;
    readonly blockHash: string;
    readonly nameBytes: string;
    readonly reported: readonly string[];
  },
  terms: ProofTerms,
): ProvenEntries {
  if (proof === undefined) throw new Error("The node sent no proof");
  const { kind, blockHash, nameBytes, reported } = asked;
  const question = { kind, channels: [terms.channelOf(fromHex(nameBytes))] };
  const { items, channels } = verifyStateProof(proof, { blockHash: fromHex(blockHash) }, question, terms.form);
  const proven = termsOf(items).map((par) => toHex(terms.bytesOf(par)));
  const left = [...proven];
  for (const bytes of reported) {
    const index = left.indexOf(bytes);
    if (index < 0) throw new Error("What the node returned is not what the proof leads to: do not believe it");
    left.splice(index, 1);
  }
  return { name: terms.print(channels[0]!), count: countOf(items), terms: proven };
}

type Items = ReturnType<typeof verifyStateProof>["items"];

function termsOf(items: Items): readonly Par[] {
  if (items.kind === "data") return items.data.flatMap(({ pars }) => pars);
  if (items.kind === "continuations")
    return items.continuations.flatMap(({ patterns }) => patterns.flatMap(({ patterns: pars }) => pars));
  return items.joins.flat();
}

function countOf(items: Items): number {
  if (items.kind === "data") return items.data.length;
  return items.kind === "continuations" ? items.continuations.length : items.joins.length;
}
