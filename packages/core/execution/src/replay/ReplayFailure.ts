/** Why a block could not be replayed to what it states. @spec 41 §4.4 */
export type ReplayFailure =
  | { readonly code: "InternalError"; readonly message: string }
  | { readonly code: "ReplayStatusMismatch"; readonly initialFailed: boolean; readonly replayFailed: boolean }
  | { readonly code: "ReplayCostMismatch"; readonly initialCost: bigint; readonly replayCost: bigint }
  | { readonly code: "UnusedCOMMEvent"; readonly message: string }
  | { readonly code: "SystemDeployErrorMismatch"; readonly playError: string; readonly replayError: string };

/** A {@link ReplayFailure} and the deploy at which it happened. */
export interface FailedReplay {
  readonly failure: ReplayFailure;
  /** Index in the block: user deploys first, then system deploys. */
  readonly deployIndex: number;
}

/** One line for logs. @spec 41 §4.4 */
export function printReplayFailure(failure: ReplayFailure): string {
  switch (failure.code) {
    case "InternalError":
      return `Internal errors encountered while processing deploy: ${failure.message}`;
    case "ReplayStatusMismatch":
      return `Found replay status mismatch; replay failure is ${failure.initialFailed} and orig failure is ${failure.replayFailed}`;
    case "ReplayCostMismatch":
      return `Found replay cost mismatch: initial deploy cost = ${failure.initialCost}, replay deploy cost = ${failure.replayCost}`;
    case "UnusedCOMMEvent":
      return `Found replay exception: ${failure.message}`;
    case "SystemDeployErrorMismatch":
      return `Found system deploy error mismatch: initial deploy error message = ${failure.playError}, replay deploy error message = ${failure.replayError}`;
  }
}
