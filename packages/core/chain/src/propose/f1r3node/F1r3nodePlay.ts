import type { LeftOutDeploy } from "@vedette/execution";
import type { ProcessedDeploy, ProcessedSystemDeploy } from "@vedette/protocol";
import type { F1r3nodeBlockExecution } from "../../validation/f1r3node/F1r3nodeBlockExecution.js";
import type { PlayRequest } from "../ProposeExecution.js";

/** A block to execute for the first time. @spec 61 §10 */
export type F1r3nodePlay = Omit<PlayRequest, "rejectedDeploys">;

/** The parts of a block that execution decides. */
export interface PlayedParts {
  readonly postStateHash: Uint8Array;
  /** In the order of execution. */
  readonly deploys: readonly ProcessedDeploy[];
  readonly systemDeploys: readonly ProcessedSystemDeploy[];
}

/** As of a `PlayOutcome`. */
export type F1r3nodePlayOutcome =
  | {
      readonly kind: "played";
      readonly parts: PlayedParts;
      readonly leftOut: readonly LeftOutDeploy[];
      /** Milliseconds that the deploys of the block took together. */
      readonly playedMs: number;
    }
  | { readonly kind: "failed"; readonly message: string; readonly deployIndex?: number | undefined };

/** Execution that a proposer on f1r3node networks needs. Rejections count as failures. */
export interface F1r3nodeProposeExecution extends F1r3nodeBlockExecution {
  /** Executes a block and commits its state, with what it did to number channels. @spec 61 §10, §12.2 */
  play(play: F1r3nodePlay): Promise<F1r3nodePlayOutcome>;
}
