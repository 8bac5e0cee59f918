import type { Block } from "@vedette/protocol";
import { type Budget, budgetMeter } from "@vedette/rholang";
import type { WritableTables } from "@vedette/store";
import { ReplaySpace, type StateStore } from "@vedette/tuplespace";
import type { ExecutionForm } from "../form/ExecutionForm.js";
import type { ChannelValues } from "../numberChannels.js";
import { blockDataOf, type InvalidBlock, Runtime } from "../runtime/Runtime.js";
import type { FailedReplay } from "./ReplayFailure.js";
import { replayDeploys } from "./replayDeploys.js";

/** What a block is replayed on. */
export interface StateReplay {
  readonly block: Block;
  /** The parents' post-state: 32 bytes. */
  readonly preState: Uint8Array;
  /** What the block's programs are told of. @spec 41 §4.1, 61 §10 */
  readonly invalidBlocks: readonly InvalidBlock[];
  /** Left out: nothing but phlo bounds the programs, and nothing the matching. */
  readonly budget?: Budget | undefined;
  /** Keeps what the replay has shown, in one transaction with the state. */
  readonly keep?: ((tables: WritableTables, replayed: ReplayedState) => void) | undefined;
}

/** The state that a block leads to. */
export interface ReplayedState {
  /** 32 bytes. */
  readonly postState: Uint8Array;
  /** For each user deploy, then each system deploy: what it left on the channels that merging treats as numbers. */
  readonly left: readonly ChannelValues[];
}

/**
 * Executes a block again and commits the state that it leads to, on a network of any dialect: nothing else of it is
 * looked at.
 *
 * @param store of the dialect's form
 * @throws {ExecutionError} `platform`, `numberChannel`, `fatal`, `stopped`
 * @spec 41 §4.2, 61 §10
 */
export function replayState(store: StateStore, replay: StateReplay, form: ExecutionForm): ReplayedState | FailedReplay {
  const { block, budget, keep } = replay;
  const meter = budget === undefined ? undefined : budgetMeter(budget);
  const match: typeof form.matchDatum = (pattern, data) => form.matchDatum(pattern, data, meter);
  const space = new ReplaySpace(store, match, replay.preState, form.guardHolds);
  const runtime = new Runtime(space, { replay: true, form, budget });
  runtime.enterBlock(blockDataOf(block), replay.invalidBlocks);
  const left = replayDeploys(runtime, block, { deploy: () => undefined, systemDeploy: () => undefined });
  if ("failure" in left) return left;
  const { root } = space.checkpoint(keep && ((tables, postState) => keep(tables, { postState, left })));
  return { postState: root, left };
}
