import { errorClass } from "@vedette/errors";

/** The reasons that keep a request about a state from being answered. */
export type StateQueryFailure =
  /** The field is the client's: `params.root`. */
  | { readonly code: "badRequest"; readonly field: string; readonly problem: string }
  | { readonly code: "unknownBlock"; readonly field: string; readonly hash: string }
  /** `oldest`: the first block with a stored state, if it is known. */
  | {
      readonly code: "noState";
      readonly field: string;
      readonly root: string;
      readonly oldest: OldestState | undefined;
    }
  | { readonly code: "notRunning" }
  | { readonly code: "notAllowed" }
  /** The client has too many questions under way; others have not. */
  | { readonly code: "tooMany"; readonly most: number }
  | { readonly code: "busy" }
  | { readonly code: "gaveUp"; readonly message: string };

/** The first block from which on states are here. */
export interface OldestState {
  readonly blockNumber: bigint;
  readonly blockHash: string;
}

/** A question about a state that is refused; what to do is in the message. @spec 30 §10.4, 50 §1.11 */
export class StateQueryError extends errorClass("StateQueryError", sentence) {}

function sentence(failure: StateQueryFailure): string {
  switch (failure.code) {
    case "badRequest":
      return `${failure.field} ${failure.problem}.`;
    case "unknownBlock":
      return `This node has no block ${failure.hash}; it may not have arrived yet.`;
    case "noState":
      return noStateText(failure.root, failure.oldest);
    case "notRunning":
      return "This node has no chain yet; it is still joining the network.";
    case "notAllowed":
      return "Programs are only run by nodes that are no validators, or that are in dev mode; use an observer.";
    case "tooMany":
      return `${failure.most} questions of your address are being answered or wait already; wait for one of them.`;
    case "busy":
      return "Too many questions are waiting; try again later.";
    case "gaveUp":
      return failure.message;
  }
}

function noStateText(root: string, oldest: OldestState | undefined): string {
  const text = `The state ${root} is not on this node`;
  if (oldest === undefined) return `${text}: it is of no block that the node has executed.`;
  return `${text}: the oldest state here is that of block ${oldest.blockNumber} (${oldest.blockHash}); a node that began with a snapshot, or keeps few (storage.state-retention), has no older ones.`;
}
