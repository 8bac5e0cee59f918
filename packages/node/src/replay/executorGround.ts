import { BlockTable, Chain } from "@vedette/chain";
import { rnodeScala } from "@vedette/protocol";
import { GroupedStore, LmdbStore, tablesOf } from "@vedette/store";
import { CommitGroups, executionOf, ReplayAhead } from "@vedette/workers";
import { startExecutorThread } from "@vedette/workers/threads";
import type { RunOnReplayGround } from "./ReplayGround.js";
import { replayRules } from "./replayRules.js";

/** A chain of the reference node, executed by a thread of its own. */
export const runOnExecutorGround: RunOnReplayGround = async ({ network, directory, isFromState, groups }, use) => {
  // An imported state is no block's, that it could be made again.
  const isGrouped = !isFromState;
  await using thread = startExecutorThread({ stateDirectory: directory.state, isGrouped });
  await using store = new GroupedStore(new LmdbStore(directory.chain, { tables: tablesOf("chain") }));
  const together = new CommitGroups(store, thread, isGrouped ? groups : { mostBlocks: 1 });
  const { executor } = together;
  const rules = replayRules(network, rnodeScala, await executor.makeEmptyState());
  const ahead = new ReplayAhead(executor);
  const execution = executionOf(ahead.executor, new BlockTable(store));
  const settled = (blocks: number) => together.settled(blocks);
  const chain = new Chain({ store, rules, execution, nowMs: Date.now, settled });
  await use({ chain, states: executor, announce: (block, parent) => ahead.announce(block, parent) });
  await together.flush();
};
