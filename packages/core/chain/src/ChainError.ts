import { errorClass } from "@vedette/errors";
import { hashList, shortHash } from "@vedette/protocol";

/** The reasons for which the chain's data cannot be used. */
export type ChainFailure =
  | { readonly code: "blockMissing"; readonly hash: Uint8Array }
  | { readonly code: "blockDamaged"; readonly hash: Uint8Array }
  | { readonly code: "approvedBlockDamaged" }
  | { readonly code: "metadataDamaged"; readonly hash: Uint8Array }
  | { readonly code: "notInsertable"; readonly hash: Uint8Array; readonly reason: string }
  | { readonly code: "justificationMissing" }
  | { readonly code: "stateParentMissing"; readonly hash: Uint8Array }
  | { readonly code: "floorUnsafe"; readonly parents: readonly Uint8Array[] }
  | { readonly code: "floorTooLow"; readonly floor: Uint8Array; readonly distance: bigint }
  | { readonly code: "settledRejected"; readonly floor: Uint8Array; readonly signature: Uint8Array }
  | { readonly code: "unmergeable"; readonly reason: string }
  | { readonly code: "stateMissing"; readonly root: Uint8Array }
  | { readonly code: "tooComplex"; readonly what: string; readonly limit: number };

/** A fact that the DAG must have is not there, or a block cannot be put into it. @spec 40 §6 */
export class ChainError extends errorClass("ChainError", sentence) {}

const whatToDo = "check the disk, then run `vedette db verify --repair` with the node stopped";

function sentence(failure: ChainFailure): string {
  switch (failure.code) {
    case "blockMissing":
      return `Block ${shortHash(failure.hash)} is not in the DAG`;
    case "blockDamaged":
      return `Block ${shortHash(failure.hash)} is not stored whole; ${whatToDo}`;
    case "approvedBlockDamaged":
      return `The block that the chain began with is not stored whole; ${whatToDo}`;
    case "metadataDamaged":
      return `What is stored about block ${shortHash(failure.hash)} is damaged; ${whatToDo}`;
    case "notInsertable":
      return `Block ${shortHash(failure.hash)} ${failure.reason}`;
    case "justificationMissing":
      return (
        "justificationBlock is missing justification pointers to equivocatingValidator even though justificationBlock " +
        "isn't a part of equivocationDetectedBlockHashes for this equivocation record."
      );
    case "stateParentMissing":
      return `Block ${shortHash(failure.hash)} has several parents and does not state its merge base`;
    case "floorUnsafe":
      return `Nothing that is final fits with all that the parents ${hashList(failure.parents)} hold for final`;
    case "floorTooLow":
      return `Parents that are ${failure.distance} blocks above what is final (${shortHash(failure.floor)}) are not merged`;
    case "settledRejected":
      return `A merge rejects the deploy ${shortHash(failure.signature)}, which has its effect in the final block ${shortHash(failure.floor)}`;
    case "unmergeable":
      return `The parents cannot be merged: ${failure.reason}`;
    case "stateMissing":
      return `No block that is valid here leads to the state ${shortHash(failure.root)}`;
    case "tooComplex":
      return `${failure.what} needs more than ${failure.limit} steps`;
  }
}
