import { toHex } from "@vedette/crypto";
import { errorClass } from "@vedette/errors";

/** The faults of a proof. */
export type ProofFailure =
  | { readonly code: "tooLong"; readonly nodes: number }
  | { readonly code: "hash"; readonly what: "root" | "node" | "leaf"; readonly expected: Uint8Array }
  | { readonly code: "malformed" }
  | { readonly code: "otherKind" }
  | { readonly code: "superfluous" }
  | { readonly code: "cutOff" };

/** A proof does not show what it claims. @spec 30 §5.2 */
export class ProofError extends errorClass("ProofError", sentence) {}

function sentence(failure: ProofFailure): string {
  switch (failure.code) {
    case "tooLong":
      return `A proof of ${failure.nodes} nodes is longer than any way through a state`;
    case "hash":
      return `The proof's ${failure.what} does not have the hash ${toHex(failure.expected)}`;
    case "malformed":
      return "A node of the proof is malformed";
    case "otherKind":
      return "The proof's leaf holds something else than is kept below such a key";
    case "superfluous":
      return "The proof goes on behind its end";
    case "cutOff":
      return "The proof ends before the key does";
  }
}
