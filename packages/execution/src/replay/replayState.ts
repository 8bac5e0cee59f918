import type { Block } from "@vedette/protocol";
import { ReplaySpace, type StateStore } from "@vedette/tuplespace";
import type { ExecutionForm } from "../form/ExecutionForm.js";
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
}

/**
 * Executes a block again and commits the state that it leads to, on a network of any dialect: nothing else of it is
 * looked at.
 *
 * @param store of the dialect's form
 * @returns the post-state, 32 bytes
 * @throws {ExecutionError} `platform`, `numberChannel`, `fatal`, `stopped`
 * @spec 41 §4.2, 61 §10
 */
export function replayState(store: StateStore, replay: StateReplay, form: ExecutionForm): Uint8Array | FailedReplay {
  const { block } = replay;
  const space = new ReplaySpace(store, form.matchDatum, replay.preState, form.guardHolds);
  const runtime = new Runtime(space, { replay: true, form });
  runtime.enterBlock(blockDataOf(block), replay.invalidBlocks);
  const channels = replayDeploys(runtime, block, { deploy: () => undefined, systemDeploy: () => undefined });
  return "failure" in channels ? channels : space.checkpoint().root;
}
