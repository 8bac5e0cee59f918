import type { DeployTry, LeftOutDeploy } from "@vedette/execution";
import type { Body, Deploy, SystemDeploy } from "@vedette/protocol";
import type { MergeScope } from "../merge/scope.js";
import type { InvalidBlockFacts, ParentsState } from "../validation/BlockExecution.js";

/** A block to execute for the first time. @spec 41 §2.1 */
export interface PlayRequest {
  /** The state that the parents leave. */
  readonly preStateHash: Uint8Array;
  /** Deploys that a merge of the parents rejected. */
  readonly rejectedDeploys: readonly Uint8Array[];
  /** Unix milliseconds. */
  readonly timestamp: bigint;
  readonly blockNumber: bigint;
  /** Own public key. */
  readonly sender: Uint8Array;
  readonly sequenceNumber: number;
  readonly invalidBlocks: readonly InvalidBlockFacts[];
  readonly deploys: readonly Deploy[];
  /** In this order. */
  readonly tries: readonly DeployTry[];
  /** Slashes, then the close of the block. */
  readonly systemDeploys: readonly Exclude<SystemDeploy, { readonly kind: "empty" }>[];
  /** When the system deploys are given up. */
  readonly maximumMs: number;
}

/**
 * - `played`: a block can be made of the deploys that the body has; of the others those that were left out cannot be
 *   executed, and for the rest there was no time.
 * - `failed`: nothing is known of most deploys; the executor is still usable. The index is that of the deploy at which
 *   it ended, where that is certain.
 */
export type PlayOutcome =
  | {
      readonly kind: "played";
      readonly body: Body;
      readonly leftOut: readonly LeftOutDeploy[];
      /** Milliseconds that the deploys of the body took together. */
      readonly playedMs: number;
    }
  | { readonly kind: "failed"; readonly message: string; readonly deployIndex?: number | undefined };

/** Execution that a proposer needs. Rejections count as failures. @spec 40 §9.7, 41 §2 */
export interface ProposeExecution {
  play(request: PlayRequest): Promise<PlayOutcome>;
  /** The state that several parents leave. @spec 40 §12 */
  merge(scope: MergeScope): Promise<ParentsState>;
  /** The validators that may propose on a state. @spec 41 §7.3 */
  activeValidators(stateHash: Uint8Array): Promise<readonly Uint8Array[]>;
  /** Blocks in an epoch; the same in all states of a network. @spec 41 §6.9.2 */
  epochLength(stateHash: Uint8Array): Promise<bigint>;
}
