import { BlockTable, Chain } from "@vedette/chain";
import { BlockCommitBatcher, executionOf, SpeculativeReplay } from "@vedette/executor";
import { startExecutorThread } from "@vedette/executor/threads";
import { rnode } from "@vedette/protocol";
import { BatchingStore, LmdbStore, tablesOf } from "@vedette/store";
import type { ReplayBackendRunner } from "./ReplayBackend.js";
import { replayRules } from "./replayRules.js";

/** A chain of the reference node, executed by a thread of its own. */
export const runRnodeReplay: ReplayBackendRunner = async ({ network, directory, isFromState, groups }, use) => {
  // An imported state is no block's, that it could be made again.
  const isGrouped = !isFromState;
  await using thread = startExecutorThread({ stateDirectory: directory.state, isGrouped });
  await using store = new BatchingStore(new LmdbStore(directory.chain, { tables: tablesOf("chain") }));
  const together = new BlockCommitBatcher(store, thread, isGrouped ? groups : { maxBlocks: 1 });
  const { executor } = together;
  const rules = replayRules(network, rnode, await executor.makeEmptyState());
  const ahead = new SpeculativeReplay(executor);
  const execution = executionOf(ahead.executor, new BlockTable(store, { form: rnode.blockForm }));
  const settled = (blocks: number) => together.settled(blocks);
  const chain = new Chain({ store, rules, execution, nowMs: Date.now, settled });
  await use({ chain, states: executor, announce: (block, parent) => ahead.announce(block, parent) });
  await together.flush();
};
