import type { ProposeFailureStatus } from "@vedette/chain";

/** Why a heartbeat has a block made. @spec 40 §9.10 */
export type HeartbeatReason =
  | "a deploy waits"
  | "a deploy is not final yet"
  | "a validator is to be slashed"
  | "the last finalized block is old";

/** The events of the node's requests for blocks. @spec 40 §9.8, §9.10 */
export type NodeProposeEvent =
  | { readonly type: "proposeStarted" }
  | {
      readonly type: "heartbeatStarted";
      readonly delayMs: number;
      readonly checkIntervalMs: number;
      readonly maximumLfbAgeMs: number;
    }
  | { readonly type: "heartbeatNotBonded" }
  | { readonly type: "heartbeatProposes"; readonly reason: HeartbeatReason }
  /** Why it has no block made; not emitted twice in a row. */
  | { readonly type: "heartbeatWaits"; readonly why: string }
  | { readonly type: "heartbeatSucceeded" }
  | { readonly type: "heartbeatFailed"; readonly status: ProposeFailureStatus; readonly sequenceNumber: number }
  /** Whether deploys wait behind a block could not be found out. */
  | { readonly type: "conditionsFailed"; readonly reason: string }
  /** The chain could not be looked at. */
  | { readonly type: "heartbeatSkipped"; readonly reason: string };
