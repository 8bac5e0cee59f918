import { emptyBytes } from "@vedette/crypto";
import type { Deploy, ProcessedDeploy, ProcessedSystemDeploy } from "@vedette/protocol";
import { matchDatum, type OutputSink } from "@vedette/rholang";
import { PlaySpace, type StateStore, StateView } from "@vedette/tuplespace";
import { rnodeExecution } from "../form/rnodeExecution.js";
import { type NumberChannels, numberChannelDifferences, storedNumber } from "../numberChannels.js";
import { Runtime } from "../runtime/Runtime.js";
import { type BlockPlay, playContent } from "./playContent.js";
import { playDeploy } from "./playDeploy.js";
import type { LeftOutDeploy } from "./tryDeploys.js";

/** The result: the parts of a block that execution decides. */
export interface PlayedBlock {
  readonly postState: Uint8Array;
  /** In the order of execution. */
  readonly deploys: readonly ProcessedDeploy[];
  readonly systemDeploys: readonly ProcessedSystemDeploy[];
  /** For each user deploy, then each system deploy: what it changed on number channels. @spec 41 §9 */
  readonly numberChannels: readonly NumberChannels[];
}

/** A block that was made of deploys, and those with which none can be made. */
export interface BlockFromDeploys extends PlayedBlock {
  readonly leftOut: readonly LeftOutDeploy[];
  /** Milliseconds that the deploys of the block took together. */
  readonly playedMs: number;
}

/**
 * Executes deploys and commits the state they lead to. Those that cannot be executed are left out, as are those for
 * which there was no time.
 *
 * All run on one space with one checkpoint at the end, as in replay: rnode, which makes checkpoints in
 * between, can make a block that no replay accepts (30 §1.10(1), §3.5).
 *
 * @throws {ExecutionError} no block can be made, whatever the deploys: `systemDeploy`, `platform`, `numberChannel`,
 *   `fatal`, `stopped`
 * @spec 41 §2.1
 * @cost grows with what the deploys do
 */
export function playBlock(store: StateStore, play: BlockPlay): BlockFromDeploys {
  const { preState } = play;
  const { space, played, playedMs, leftOut, systemDeploys } = playContent(store, play, rnodeExecution);
  const channels = [...played, ...systemDeploys].map(({ numberChannels }) => numberChannels);
  return {
    deploys: played.map(({ processed }) => processed),
    ...{ leftOut, playedMs },
    systemDeploys: systemDeploys.map(({ processed }) => processed),
    numberChannels: differences(store, preState, channels),
    postState: space.checkpoint().root,
  };
}

/** The inputs of the deploys of the first block. @spec 41 §5.3 */
export interface GenesisPlay {
  /** Root of the empty state. @spec 41 §1.3 */
  readonly preState: Uint8Array;
  /** Milliseconds. */
  readonly timestamp: bigint;
  readonly blockNumber: bigint;
  readonly deploys: readonly Deploy[];
  readonly output?: OutputSink | undefined;
}

/**
 * Executes the deploys of genesis, without payment and without system deploys.
 *
 * Quirk 41 §5.3: deploys that fail are left out of the result. The logs are in the order of play; the chain package
 * chooses their order in the genesis block.
 *
 * @throws {ExecutionError} `numberChannel`, `fatal`
 * @spec 41 §5.3
 */
export function playGenesis(store: StateStore, genesis: GenesisPlay): PlayedBlock {
  const space = new PlaySpace(store, matchDatum, genesis.preState);
  const runtime = new Runtime(space, { replay: false, output: genesis.output, form: rnodeExecution });
  const { timestamp, blockNumber } = genesis;
  // rnode leaves the invalid blocks Nil here and makes them an empty map when it replays genesis.
  runtime.enterBlock({ timestamp, blockNumber, sender: emptyBytes, sequenceNumber: 0 }, []);
  const played = genesis.deploys
    .map((deploy) => playDeploy(runtime, deploy, false))
    .filter(({ processed }) => !processed.failed);
  const channels = played.map(({ numberChannels }) => numberChannels);
  return {
    deploys: played.map(({ processed }) => processed),
    systemDeploys: [],
    numberChannels: differences(store, genesis.preState, channels),
    postState: space.checkpoint().root,
  };
}

function differences(store: StateStore, preState: Uint8Array, channels: readonly NumberChannels[]): NumberChannels[] {
  const base = new StateView(store, preState);
  return numberChannelDifferences((hash) => storedNumber(base, hash), channels);
}
