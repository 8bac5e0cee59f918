import { toHex } from "@vedette/crypto";
import { errorClass } from "@vedette/errors";

/** The faults of a tree of states, or of a change to it. */
export type HistoryFailure =
  | { readonly code: "nodeMissing"; readonly hash: Uint8Array }
  | { readonly code: "nodeMalformed"; readonly offset: number; readonly detail: string }
  | { readonly code: "keyTooShort"; readonly depth: number }
  | { readonly code: "duplicateAction"; readonly key: Uint8Array }
  | { readonly code: "unknownRoot"; readonly root: Uint8Array }
  | { readonly code: "leafMissing"; readonly hash: Uint8Array }
  /** A stored piece has another hash than the one it is stored under. */
  | { readonly code: "falsified"; readonly kind: "node" | "leaf"; readonly hash: Uint8Array }
  /** It came with a state that has nothing of it that is new. */
  | { readonly code: "needless"; readonly kind: "node" | "leaf"; readonly hash: Uint8Array }
  /** It has more that its base lacks than its sender stated. */
  | { readonly code: "tooManyNodes"; readonly most: number };

/** The state tree cannot be read or changed as requested. @spec 30 §5.6 */
export class HistoryError extends errorClass("HistoryError", sentence) {}

function sentence(failure: HistoryFailure): string {
  switch (failure.code) {
    case "nodeMissing":
      return `Missing node in database. ptr=${toHex(failure.hash)}. The state on disk is incomplete: fetch it again.`;
    case "nodeMalformed":
      return `Error during deserialization: ${failure.detail} (at byte ${failure.offset} of a state tree node).`;
    case "keyTooShort":
      return `All Radix keys should be same length. (The state tree is deeper than ${failure.depth} bytes.)`;
    case "duplicateAction":
      return `Cannot process duplicate actions on one key. (${toHex(failure.key)})`;
    case "unknownRoot":
      return `unknown root ${toHex(failure.root)}`;
    case "falsified":
      return `The ${failure.kind} that is stored as ${toHex(failure.hash)} has another hash: the state on disk is damaged.`;
    case "needless":
      return `The ${failure.kind} ${toHex(failure.hash)} is not among what is new in the state that it came with.`;
    case "tooManyNodes":
      return `The state differs from its base state in more than ${failure.most} nodes.`;
    case "leafMissing":
      return `State tree leaf ${toHex(failure.hash)} is not in the store. The state on disk is incomplete: fetch it again.`;
  }
}
