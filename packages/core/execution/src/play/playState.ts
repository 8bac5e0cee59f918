import type { ProcessedDeploy, ProcessedSystemDeploy } from "@vedette/protocol";
import type { WritableTables } from "@vedette/store";
import type { StateStore } from "@vedette/tuplespace";
import type { ExecutionDialect } from "../form/ExecutionDialect.js";
import type { ChannelValues } from "../numberChannels.js";
import type { ExecutionOutcome } from "../outcome/outcomeRecord.js";
import { type BlockPlay, playContent } from "./playContent.js";
import type { LeftOutDeploy } from "./tryDeploys.js";

/** A block to make on a network of any dialect. */
export interface StatePlay extends BlockPlay {
  /** Whether what a deploy left on number channels can be in the block; throws where not. */
  readonly check?: ((left: ChannelValues) => void) | undefined;
  /** Keeps what the play has shown, in one transaction with the state. */
  readonly keep?: ((tables: WritableTables, played: PlayedState) => void) | undefined;
}

/**
 * The parts of a block that execution decides, with the transfers between vaults and the notes of its deploys.
 * @spec 41 §8.3, §8.4
 */
export interface PlayedState extends ExecutionOutcome {
  /** 32 bytes. */
  readonly postState: Uint8Array;
  /** In the order of execution. */
  readonly deploys: readonly ProcessedDeploy[];
  readonly systemDeploys: readonly ProcessedSystemDeploy[];
  /** For each user deploy, then each system deploy: what it left on the channels that merging treats as numbers. */
  readonly left: readonly ChannelValues[];
  readonly leftOut: readonly LeftOutDeploy[];
  /** Milliseconds that the deploys of the block took together. */
  readonly playedMs: number;
}

/**
 * Executes deploys and commits the state they lead to, on a network of any dialect. Those that cannot be executed are
 * left out, as are those for which there was no time.
 *
 * @param store of the dialect's form
 * @throws {ExecutionError} no block can be made, whatever the deploys: `systemDeploy`, `platform`, `numberChannel`,
 *   `fatal`, `stopped`; what `keep` throws
 * @spec 41 §2.1, 61 §10
 * @cost grows with what the deploys do
 */
export function playState(store: StateStore, play: StatePlay, form: ExecutionDialect): PlayedState {
  const { check, keep } = play;
  const { space, played, systemDeploys, leftOut, playedMs, outcome } = playContent(store, play, form, check);
  const found = {
    deploys: played.map(({ processed }) => processed),
    systemDeploys: systemDeploys.map(({ processed }) => processed),
    left: [...played, ...systemDeploys],
    ...{ leftOut, playedMs, ...outcome },
  };
  const { root } = space.checkpoint(keep && ((tables, postState) => keep(tables, { postState, ...found })));
  return { postState: root, ...found };
}
