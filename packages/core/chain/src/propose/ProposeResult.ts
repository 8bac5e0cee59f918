import type { Block } from "@vedette/protocol";

/** Why there is no block. The names are the protocol's, except the last one. @spec 40 §9.8 */
export type ProposeFailureStatus =
  | "NoNewDeploys"
  | "InternalDeployError"
  | "NotBonded"
  | "NotEnoughNewBlocks"
  | "TooFarAheadOfLastFinalized"
  | "BugError"
  /** Ours: a block now might be a second one at its sequence number. */
  | "NotSynchronized";

/** The caller's options for one block. */
export interface ProposeOptions {
  /** Whether it may be without deploys, where the node makes such blocks. Default: `true`. */
  readonly mayBeEmpty?: boolean | undefined;
}

/** The result of a proposal. `sequenceNumber` is that of the block, made or not. @spec 40 §9.8, 50 §2.1 */
export type ProposeResult =
  | { readonly status: "Success"; readonly block: Block; readonly sequenceNumber: number }
  | {
      readonly status: ProposeFailureStatus;
      readonly sequenceNumber: number;
      /** For the log. */
      readonly reason?: string | undefined;
    };
