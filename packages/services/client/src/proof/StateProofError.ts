import { toHex } from "@vedette/crypto";
import { errorClass } from "@vedette/errors";

/** The faults of a proof. */
export type StateProofFailure =
  | { readonly code: "form"; readonly field: string; readonly problem: string }
  | { readonly code: "otherRoot"; readonly claimed: Uint8Array; readonly trusted: Uint8Array }
  | { readonly code: "noBlock" }
  | { readonly code: "otherBlock"; readonly claimed: Uint8Array; readonly trusted: Uint8Array }
  | { readonly code: "otherQuestion" }
  | { readonly code: "hash"; readonly field: string; readonly expected: Uint8Array }
  | { readonly code: "superfluous"; readonly field: string }
  | { readonly code: "cutOff" }
  | { readonly code: "tooDeep" };

/** A proof does not show what it claims. @spec 30 §10 */
export class StateProofError extends errorClass("StateProofError", sentence) {}

function sentence(failure: StateProofFailure): string {
  switch (failure.code) {
    case "form":
      return `The proof's ${failure.field} ${failure.problem}`;
    case "otherRoot":
      return `The proof is about the state ${toHex(failure.claimed)}, not about the trusted ${toHex(failure.trusted)}`;
    case "noBlock":
      return "The proof does not begin at a block; request it with anchor=block, or trust a state root";
    case "otherBlock":
      return `The proof begins at the block ${toHex(failure.claimed)}, not at the trusted ${toHex(failure.trusted)}`;
    case "otherQuestion":
      return "The proof answers another question: its kind or its names are not the requested ones";
    case "hash":
      return `The proof's ${failure.field} does not have the hash ${toHex(failure.expected)}`;
    case "superfluous":
      return `The proof's ${failure.field} goes on behind its end`;
    case "cutOff":
      return "The proof ends before the key does";
    case "tooDeep":
      return "A term of the proof is nested too deeply to be looked at here; check it in a thread with a larger stack";
  }
}

/** Makes the error for an unreadable field. */
export function badForm(field: string, problem: string, cause?: unknown): StateProofError {
  return new StateProofError({ code: "form", field, problem }, cause === undefined ? undefined : { cause });
}
