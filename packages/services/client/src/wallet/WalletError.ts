import { errorClass } from "@vedette/errors";

/** The reasons why a wallet could not fulfill a request. */
export type WalletFailure =
  | { readonly code: "noAnswer"; readonly what: string; readonly answer: string }
  | { readonly code: "deployFailed"; readonly deployId: string; readonly reason: string }
  | { readonly code: "deployRejected"; readonly deployId: string; readonly rejectedBy: string }
  | { readonly code: "deployExpired"; readonly deployId: string }
  | { readonly code: "refused"; readonly deployId: string; readonly reason: string };

/** A contract did not fulfill a wallet's request. @spec 41 §10 */
export class WalletError extends errorClass("WalletError", sentence) {}

function sentence(failure: WalletFailure): string {
  switch (failure.code) {
    case "noAnswer":
      return `${failure.what} did not come back: ${failure.answer}`;
    case "deployFailed":
      return `Deploy ${failure.deployId} failed: ${failure.reason}; only its fee was charged`;
    case "deployRejected":
      return `deploy ${failure.deployId} was rejected by the merge of block ${failure.rejectedBy}, without effect: send it again`;
    case "deployExpired":
      return `deploy ${failure.deployId} expired without effect: send it again`;
    case "refused":
      return `The contract refused deploy ${failure.deployId}: ${failure.reason}`;
  }
}
