import { toHex } from "@vedette/crypto";
import { errorClass } from "@vedette/errors";

/** The reasons that keep states from being merged. */
export type MergeFailure =
  | { readonly code: "deployCount"; readonly mergeables: number; readonly deploys: number }
  | { readonly code: "mergeableMissing"; readonly postState: Uint8Array }
  | { readonly code: "mergeableMalformed"; readonly detail: string }
  | { readonly code: "emptyChange"; readonly of: "produce" | "consume" }
  | { readonly code: "joinMissing"; readonly channelsHash: Uint8Array }
  | { readonly code: "emptyAction"; readonly of: "consume" | "produce or join" }
  | { readonly code: "numberChannel"; readonly detail: string }
  | { readonly code: "removedAbsent"; readonly of: "datum" | "join"; readonly hash: Uint8Array }
  | { readonly code: "tooManyOptions"; readonly most: number };

/** States cannot be merged: what is known of them does not fit together. @spec 30 §A.3, §A.7, §A.8, §A.10 */
export class MergeError extends errorClass("MergeError", sentence) {}

function sentence(failure: MergeFailure): string {
  switch (failure.code) {
    case "deployCount":
      return `Cache of mergeable channels (${failure.mergeables}) doesn't match deploys count (${failure.deploys}).`;
    case "mergeableMissing":
      return `Mergeable store invalid state hash ${toHex(failure.postState)}.`;
    case "mergeableMalformed":
      return `An entry of the mergeable store is malformed: ${failure.detail}.`;
    case "emptyChange":
      return `State change compute logic error: empty channel change for ${failure.of}.`;
    case "joinMissing":
      return `Tuple space inconsistency found: channel of consume does not contain join record corresponding to the consume channels. (${toHex(failure.channelsHash)})`;
    case "emptyAction":
      return failure.of === "consume"
        ? "Merging logic error: empty consume change when computing trie action."
        : "Merging logic error: empty channel change for produce or join when computing trie action.";
    case "numberChannel":
      return `A number channel cannot be merged: ${failure.detail}.`;
    case "removedAbsent":
      return `A ${failure.of} that a merge removes is not in the state that it builds on (${toHex(failure.hash)}).`;
    case "tooManyOptions":
      return `The conflicts between branches can be resolved in more than ${failure.most} ways.`;
  }
}
