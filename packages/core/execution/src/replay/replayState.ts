import type { Block } from "@vedette/protocol";
import { type Budget, budgetMeter } from "@vedette/rholang";
import type { WritableTables } from "@vedette/store";
import type { MatchDatum, StateStore } from "@vedette/tuplespace";
import type { ExecutionDialect } from "../form/ExecutionDialect.js";
import type { ChannelValues } from "../numberChannels.js";
import { BlockOutcomeCollector } from "../outcome/BlockOutcomeCollector.js";
import type { ExecutionOutcome } from "../outcome/outcomeRecord.js";
import { TransferSpace } from "../report/TransferSpace.js";
import { blockDataOf, type InvalidBlock, Runtime } from "../runtime/Runtime.js";
import type { FailedReplay } from "./ReplayFailure.js";
import { replayDeploys } from "./replayDeploys.js";

/** The inputs of a block's replay. */
export interface StateReplay {
  readonly block: Block;
  /** The parents' post-state: 32 bytes. */
  readonly preState: Uint8Array;
  /** The invalid blocks that the block's programs can read. @spec 41 §4.1, 61 §10 */
  readonly invalidBlocks: readonly InvalidBlock[];
  /** Left out: nothing but phlo bounds the programs, and nothing the matching. */
  readonly budget?: Budget | undefined;
  /** Keeps what the replay has shown, in one transaction with the state. */
  readonly keep?: ((tables: WritableTables, replayed: ReplayedState) => void) | undefined;
}

/**
 * The state that a block leads to, with the transfers between vaults and the notes of its deploys. @spec 41 §8.3, §8.4
 */
export interface ReplayedState extends ExecutionOutcome {
  /** 32 bytes. */
  readonly postState: Uint8Array;
  /** For each user deploy, then each system deploy: what it left on the channels that merging treats as numbers. */
  readonly left: readonly ChannelValues[];
}

/**
 * Executes a block again and commits the state that it leads to, on a network of any dialect.
 *
 * @param store of the dialect's form
 * @throws {ExecutionError} `platform`, `numberChannel`, `fatal`, `stopped`
 * @spec 41 §4.2, 61 §10
 */
export function replayState(
  store: StateStore,
  replay: StateReplay,
  form: ExecutionDialect,
): ReplayedState | FailedReplay {
  const { block, keep, budget } = replay;
  const meter = budget === undefined ? undefined : budgetMeter(budget);
  const match: MatchDatum = (pattern, data) => form.matchDatum(pattern, data, meter);
  const space = new TransferSpace(store, match, replay.preState, form);
  const taker = new BlockOutcomeCollector(space, form.terms);
  const runtime = new Runtime(space, { replay: true, form, output: taker.output, budget });
  runtime.enterBlock(blockDataOf(block), replay.invalidBlocks);
  const left = replayDeploys(runtime, block, taker);
  if ("failure" in left) return left;
  const found = { left, ...taker.outcome };
  const { root } = space.checkpoint(keep && ((tables, postState) => keep(tables, { postState, ...found })));
  return { postState: root, ...found };
}
