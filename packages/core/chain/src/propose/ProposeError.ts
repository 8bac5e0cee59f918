import { errorClass } from "@vedette/errors";
import { shortHash } from "@vedette/protocol";

/** The failures that keep a block from being made and are not among the protocol's results. */
export type ProposeFailure =
  | { readonly code: "deployMissing"; readonly signature: Uint8Array }
  | { readonly code: "notBegun" }
  | { readonly code: "noLatestMessage"; readonly validator: Uint8Array }
  | { readonly code: "playFailed"; readonly message: string }
  | { readonly code: "busy" };

/** A block cannot be made; the node itself is at fault, not the request. @spec 40 §9.7 */
export class ProposeError extends errorClass("ProposeError", sentence) {}

function sentence(failure: ProposeFailure): string {
  switch (failure.code) {
    case "deployMissing":
      return `Deploy ${shortHash(failure.signature)} is no longer in the pool`;
    case "notBegun":
      return "There is no chain yet to propose on";
    case "noLatestMessage":
      return `Validator does not have a latest message (${shortHash(failure.validator)})`;
    case "playFailed":
      return `A block cannot be executed, even without deploys: ${failure.message}`;
    case "busy":
      return "Another block is being made";
  }
}
