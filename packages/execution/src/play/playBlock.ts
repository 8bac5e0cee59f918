import { emptyBytes } from "@vedette/crypto";
import type { Deploy, ProcessedDeploy, ProcessedSystemDeploy } from "@vedette/protocol";
import {
  type BlockData,
  type Budget,
  budgetMeter,
  type ExternalServices,
  matchDatum,
  type OutputSink,
} from "@vedette/rholang";
import { PlaySpace, type StateStore, StateView } from "@vedette/tuplespace";
import { type NumberChannels, numberChannelDifferences, storedNumber } from "../numberChannels.js";
import { type InvalidBlock, Runtime } from "../runtime/Runtime.js";
import type { BlockSystemDeploy } from "../systemDeploy/blockSystemDeploy.js";
import { playDeploy } from "./playDeploy.js";
import { playSystemDeploy } from "./playSystemDeploy.js";
import { type DeployTry, type LeftOutDeploy, type PlayLimits, TryBudget, tryDeploys } from "./tryDeploys.js";

/** What a block is made of. @spec 41 §2.1 */
export interface BlockPlay {
  /** The parents' post-state: 32 bytes. */
  readonly preState: Uint8Array;
  readonly blockData: BlockData;
  /** Invalid blocks that the creator knows. */
  readonly invalidBlocks: readonly InvalidBlock[];
  readonly deploys: readonly Deploy[];
  /** In this order; left out: all of them, as they stand, with any time that they take. */
  readonly tries?: readonly DeployTry[] | undefined;
  /** Slashes, then the close of the block. */
  readonly systemDeploys: readonly BlockSystemDeploy[];
  readonly output?: OutputSink | undefined;
  readonly services?: ExternalServices | undefined;
  readonly limits?: PlayLimits | undefined;
  /** Is told which deploy is at work. */
  readonly begins?: ((index: number) => void) | undefined;
}

/** What came of it: the parts of a block that execution decides. */
export interface PlayedBlock {
  readonly postState: Uint8Array;
  /** In the order of execution. */
  readonly deploys: readonly ProcessedDeploy[];
  readonly systemDeploys: readonly ProcessedSystemDeploy[];
  /** For each user deploy, then each system deploy: what it changed on number channels. @spec 41 §9 */
  readonly numberChannels: readonly NumberChannels[];
}

/** A block that was made of deploys, and those with which none can be made. */
export interface MadeOfDeploys extends PlayedBlock {
  readonly leftOut: readonly LeftOutDeploy[];
  /** Milliseconds that the deploys of the block took together. */
  readonly playedMs: number;
}

/**
 * Executes deploys and commits the state they lead to. Those that cannot be executed are left out, as are those for
 * which there was no time.
 *
 * All run on one space with one checkpoint at the end, as in replay: the reference, which makes checkpoints in
 * between, can make a block that no replay accepts (30 §1.10(1), §3.5).
 *
 * @throws {ExecutionError} no block can be made, whatever the deploys: `systemDeploy`, `platform`, `numberChannel`,
 *   `fatal`, `stopped`
 * @spec 41 §2.1
 * @cost grows with what the deploys do
 */
export function playBlock(store: StateStore, play: BlockPlay): MadeOfDeploys {
  const { preState, blockData, deploys, limits = unlimited } = play;
  const budget = new TryBudget(limits);
  const meter = budgetMeter(budget);
  const space = new PlaySpace(store, (pattern, data) => matchDatum(pattern, data, meter), preState);
  const runtime = runtimeOf(space, { ...play, budget });
  runtime.enterBlock(blockData, play.invalidBlocks);
  const tries = play.tries ?? deploys.map((_, index) => ({ ...anyTime, index }));
  const { played, leftOut, playedMs } = tryDeploys(runtime, { deploys, tries }, budget, play.begins);
  budget.deadlineMs = budget.nowMs() + (limits.systemMs ?? Number.POSITIVE_INFINITY);
  const systemDeploys = play.systemDeploys.map((systemDeploy) =>
    playSystemDeploy(runtime, systemDeploy, blockData.sender, blockData.sequenceNumber),
  );
  const channels = [...played, ...systemDeploys].map(({ numberChannels }) => numberChannels);
  return {
    deploys: played.map(({ processed }) => processed),
    ...{ leftOut, playedMs },
    systemDeploys: systemDeploys.map(({ processed }) => processed),
    numberChannels: differences(store, preState, channels),
    postState: space.checkpoint().root,
  };
}

const unlimited: PlayLimits = { nowMs: () => 0 };
const anyTime = { maximumMs: Number.POSITIVE_INFINITY, beginBeforeMs: Number.POSITIVE_INFINITY, names: [] };

/** What the deploys of the first block are made of. @spec 41 §5.3 */
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
 * Executes the deploys of genesis: nobody pays, and no system deploy follows.
 *
 * Quirk 41 §5.3: deploys that fail are left out of the result. The logs are in the order of play; their order in
 * the genesis block is the chain's matter.
 *
 * @throws {ExecutionError} `numberChannel`, `fatal`
 * @spec 41 §5.3
 */
export function playGenesis(store: StateStore, genesis: GenesisPlay): PlayedBlock {
  const space = new PlaySpace(store, matchDatum, genesis.preState);
  const runtime = runtimeOf(space, genesis);
  const { timestamp, blockNumber } = genesis;
  // The reference leaves the invalid blocks Nil here and makes them an empty map when it replays genesis.
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

function runtimeOf(
  space: PlaySpace,
  { output, services, budget }: Pick<BlockPlay, "output" | "services"> & { readonly budget?: Budget },
): Runtime<PlaySpace> {
  return new Runtime(space, { replay: false, output, services, budget });
}

function differences(store: StateStore, preState: Uint8Array, channels: readonly NumberChannels[]): NumberChannels[] {
  const base = new StateView(store, preState);
  return numberChannelDifferences((hash) => storedNumber(base, hash), channels);
}
