import type { LeftOutDeploy } from "@vedette/execution";
import type { ProcessedDeploy, ProcessedSystemDeploy } from "@vedette/protocol";
import type { FloorExecution } from "../../validation/f1r3node/FloorExecution.js";
import type { PlayRequest } from "../ProposeExecution.js";

/** A block to execute for the first time. @spec 61 §10 */
export type FloorPlay = Omit<PlayRequest, "rejectedDeploys">;

/** The parts of a block that execution decides. */
export interface PlayedParts {
  readonly postStateHash: Uint8Array;
  /** In the order of execution. */
  readonly deploys: readonly ProcessedDeploy[];
  readonly systemDeploys: readonly ProcessedSystemDeploy[];
}

/** As of a `PlayOutcome`. */
export type FloorPlayOutcome =
  | {
      readonly kind: "played";
      readonly parts: PlayedParts;
      readonly leftOut: readonly LeftOutDeploy[];
      /** Milliseconds that the deploys of the block took together. */
      readonly playedMs: number;
    }
  | { readonly kind: "failed"; readonly message: string; readonly deployIndex?: number | undefined };

/** Execution that a proposer on f1r3node networks needs. Rejections count as failures. */
export interface FloorProposeExecution extends FloorExecution {
  /** Executes a block and commits its state, with what it did to number channels. @spec 61 §10, §12.2 */
  play(play: FloorPlay): Promise<FloorPlayOutcome>;
}
