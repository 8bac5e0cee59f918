import {
  BlockTable,
  Chain,
  type F1r3nodeRuleSet,
  f1r3node0445,
  f1r3nodeConsensus,
  f1r3nodeRuleSetNamed,
  f1r3nodeRuleSets,
  genesisFirst,
  MemoryFloorCache,
} from "@vedette/chain";
import {
  BlockCommitBatcher,
  executorPipeline,
  f1r3nodeExecutionOf,
  genesisExecution,
  offlineLimits,
} from "@vedette/executor";
import { startExecutorThread } from "@vedette/executor/threads";
import { type Block, f1r3node } from "@vedette/protocol";
import { BatchingStore, LmdbStore, tablesOf } from "@vedette/store";
import { RecordedChainError, type RecordedNetwork } from "./RecordedChain.js";
import type { ReplayBackendRunner } from "./ReplayBackend.js";
import { replayRules } from "./replayRules.js";

/** Blocks in an epoch where the recording does not name it. @spec 50 §5.3 */
const usualEpochLength = 10_000;

/** Replays a chain of f1r3node; a separate thread executes it. */
export const runF1r3nodeReplay: ReplayBackendRunner = async ({ network, directory, isFromState, groups }, use) => {
  if (isFromState) throw new RecordedChainError({ code: "fromGenesisOnly" });
  const ruleSet = recordedRuleSet(network);
  await using thread = startExecutorThread({
    stateDirectory: directory.state,
    dialect: f1r3node.name,
    isGrouped: true,
  });
  await using store = new BatchingStore(new LmdbStore(directory.chain, { tables: tablesOf("chain") }));
  const stored = new BlockTable(store, { form: f1r3node.blockForm });
  const calls = executorPipeline({
    ...{ thread, blocks: stored },
    groups: (next) => new BlockCommitBatcher(store, next, { ...offlineLimits, ...groups }),
  });
  const { ahead, groups: together } = calls;
  const { executor } = together;
  const rules = replayRules(network, f1r3node, await executor.makeEmptyState());
  const execution = f1r3nodeExecutionOf(calls.executor, stored);
  const cache = new MemoryFloorCache();
  const chain = new Chain({
    ...{ store, rules, nowMs: Date.now, firstMessage: genesisFirst, execution: genesisExecution(execution, executor) },
    settled: (blocks: number) => together.settled(blocks),
    consensus: (parts) =>
      f1r3nodeConsensus(parts, {
        ...{ execution, cache, ruleSet },
        epochLength: BigInt(network.epochLength ?? usualEpochLength),
        tolerance: (stateHash) => executor.faultTolerance(stateHash),
      }),
  });
  together.pack(() => chain.dag.lastFinalized()?.number);
  const announce = (block: Block, parent: Block) => ahead.announce(block, parent);
  const floorOf = (hash: Uint8Array) => {
    const isGenesis = chain.dag.find(hash)?.number === 0n;
    return isGenesis ? { floor: hash, frontier: undefined } : cache.find(hash);
  };
  await use({ chain, states: executor, announce, floorOf });
  await together.flush();
};

/** The rule set of the recorded network. @throws {RecordedChainError} `otherRules` @spec 61 §24 */
export function recordedRuleSet({ ruleSet: name }: RecordedNetwork): F1r3nodeRuleSet {
  if (name == null) return f1r3node0445;
  const ruleSet = f1r3nodeRuleSetNamed(name);
  if (ruleSet !== undefined) return ruleSet;
  throw new RecordedChainError({ code: "otherRules", name, known: f1r3nodeRuleSets.map((one) => one.name) });
}
