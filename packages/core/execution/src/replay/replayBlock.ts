import type { Block } from "@vedette/protocol";
import { type Budget, budgetMeter, matchDatum } from "@vedette/rholang";
import type { WritableTables } from "@vedette/store";
import { type StateStore, StateView } from "@vedette/tuplespace";
import { rnodeExecution } from "../form/rnodeExecution.js";
import { type NumberChannels, numberChannelDifferences, storedNumber } from "../numberChannels.js";
import { BlockOutcomeCollector } from "../outcome/BlockOutcomeCollector.js";
import type { ExecutionOutcome } from "../outcome/outcomeRecord.js";
import { TransferSpace } from "../report/TransferSpace.js";
import { blockDataOf, type InvalidBlock, Runtime } from "../runtime/Runtime.js";
import type { FailedReplay } from "./ReplayFailure.js";
import { replayDeploys } from "./replayDeploys.js";

/** The inputs of a block's replay. @spec 41 §4.2 */
export interface BlockReplay {
  readonly block: Block;
  /** The parents' post-state: 32 bytes. */
  readonly preState: Uint8Array;
  /** Invalid blocks that the creator could see. @spec 41 §4.1 */
  readonly invalidBlocks: readonly InvalidBlock[];
  /** Left out: nothing but phlo bounds the programs, and nothing the matching. */
  readonly budget?: Budget | undefined;
  /**
   * Stores the changes of number channels, the transfers and the notes of a block, in one transaction with its state.
   */
  readonly keep?: ((tables: WritableTables, replayed: ReplayedBlock) => void) | undefined;
}

/**
 * The state that a block leads to, with the transfers and notes of its deploys. The caller compares it with the state
 * that the block contains.
 *
 * @spec 41 §8.3, §8.4
 */
export interface ReplayedBlock extends ExecutionOutcome {
  readonly postState: Uint8Array;
  /** For each user deploy, then each system deploy: what it changed on number channels. @spec 41 §9 */
  readonly numberChannels: readonly NumberChannels[];
}

/**
 * Executes a block again, forcing every COMM to be one that the block records, and commits the state it leads to.
 *
 * rnode tries up to four times, since its scheduling differs each time (41 §4.4); here every attempt would
 * be the same, so there is one.
 *
 * @throws {ExecutionError} `platform`, `numberChannel`, `fatal`, `stopped`: the block can be neither accepted nor refused
 * @spec 41 §4.2
 * @cost grows with the number of events in the block
 */
export function replayBlock(store: StateStore, replay: BlockReplay): ReplayedBlock | FailedReplay {
  const { block, budget } = replay;
  const meter = budget === undefined ? undefined : budgetMeter(budget);
  const space = new TransferSpace(
    store,
    (pattern, data) => matchDatum(pattern, data, meter),
    replay.preState,
    rnodeExecution,
  );
  const taker = new BlockOutcomeCollector(space, rnodeExecution.terms);
  const runtime = new Runtime(space, { replay: true, output: taker.output, budget, form: rnodeExecution });
  runtime.enterBlock(blockDataOf(block), replay.invalidBlocks);
  const values = replayDeploys(runtime, block, taker);
  if ("failure" in values) return values;
  const base = new StateView(store, replay.preState);
  const numberChannels = numberChannelDifferences(
    (hash) => storedNumber(base, hash),
    values.map((left) => left.numberChannels),
  );
  const { keep } = replay;
  const found = { numberChannels, ...taker.outcome };
  const { root } = space.checkpoint(keep && ((tables, postState) => keep(tables, { postState, ...found })));
  return { postState: root, ...found };
}
