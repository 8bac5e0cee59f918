import { BlockTable, Chain } from "@vedette/chain";
import { BlockCommitBatcher, executionOf, executorPipeline, offlineLimits } from "@vedette/executor";
import { startExecutorThread } from "@vedette/executor/threads";
import { rnode } from "@vedette/protocol";
import { BatchingStore, LmdbStore, tablesOf } from "@vedette/store";
import type { ReplayBackendRunner } from "./ReplayBackend.js";
import { replayRules } from "./replayRules.js";

/** A chain of rnode, executed by a thread of its own. */
export const runRnodeReplay: ReplayBackendRunner = async ({ network, directory, isFromState, groups }, use) => {
  // An imported state is no block's, that it could be made again.
  const isGrouped = !isFromState;
  await using thread = startExecutorThread({ stateDirectory: directory.state, dialect: rnode.name, isGrouped });
  await using store = new BatchingStore(new LmdbStore(directory.chain, { tables: tablesOf("chain") }));
  const blocks = new BlockTable(store, { form: rnode.blockForm });
  const limits = isGrouped ? { ...offlineLimits, ...groups } : { maxBlocks: 1 };
  const calls = executorPipeline({ thread, blocks, groups: (next) => new BlockCommitBatcher(store, next, limits) });
  const { ahead, groups: together } = calls;
  const { executor } = together;
  const rules = replayRules(network, rnode, await executor.makeEmptyState());
  const execution = executionOf(calls.executor, blocks);
  const settled = (judged: number) => together.settled(judged);
  const chain = new Chain({ store, rules, execution, nowMs: Date.now, settled });
  together.pack(() => chain.dag.lastFinalized()?.number);
  await use({ chain, states: executor, announce: (block, parent) => ahead.announce(block, parent) });
  await together.flush();
};
