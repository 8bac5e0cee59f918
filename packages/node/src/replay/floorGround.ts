import {
  type BlockExecution,
  BlockLineage,
  Chain,
  type ChainParts,
  type Consensus,
  epochSlashing,
  type FloorExecution,
  Floors,
  floorChecks,
  floorFinality,
  genesisFirst,
  MemoryFloorCache,
  StateLineage,
} from "@vedette/chain";
import { FloorStates } from "@vedette/execution";
import { decodeBlock, decodeStoreItems, rnodeRust } from "@vedette/protocol";
import { LmdbStore, tablesOf } from "@vedette/store";
import { findMissing, importItems, rustSpace, StateStore } from "@vedette/tuplespace";
import { floorExecutionOf } from "@vedette/workers";
import { openStateStore } from "@vedette/workers/threads";
import { RecordedChainError, type RecordedNetwork } from "./RecordedChain.js";
import type { ReplayStates, RunOnReplayGround } from "./ReplayGround.js";
import { replayRules } from "./replayRules.js";

/** Blocks in an epoch where the recording does not tell. @spec 50 §5.3 */
const usualEpochLength = 10_000;

/** A chain of the newer node, executed in this thread. @spec 61 §10–§15 */
export const runOnFloorGround: RunOnReplayGround = async ({ network, directory, isFromState }, use) => {
  if (isFromState) throw new RecordedChainError({ code: "fromGenesisOnly" });
  await using stateStore = openStateStore({ stateDirectory: directory.state });
  await using store = new LmdbStore(directory.chain, { tables: tablesOf("chain") });
  const stateTables = new StateStore(stateStore, { form: rustSpace });
  const states = new FloorStates(stateStore, stateTables);
  const rules = replayRules(network, rnodeRust, states.makeEmpty());
  let execution: FloorExecution | undefined;
  const chain = new Chain({
    ...{ store, rules, nowMs: Date.now, firstMessage: genesisFirst },
    execution: genesisExecution(() => execution!),
    consensus(parts) {
      execution = floorExecutionOf(states, parts.blocks);
      return consensusOf(parts, execution, network);
    },
  });
  await use({ chain, states: statesOf(stateTables, execution!), announce: () => undefined });
};

function consensusOf({ dag, blocks }: ChainParts, execution: FloorExecution, network: RecordedNetwork): Consensus {
  const facts = new BlockLineage(blocks);
  const lineage = new StateLineage(dag, facts);
  const tolerance = BigInt(Math.round((network.faultToleranceThreshold ?? 0) * 1e6));
  const floors = new Floors({ dag, lineage, cache: new MemoryFloorCache(), tolerance });
  const slashing = epochSlashing(BigInt(network.epochLength ?? usualEpochLength));
  return {
    checks: floorChecks({ floors, lineage, facts, slashing, execution }),
    finality: floorFinality(floors, lineage),
  };
}

/** Genesis is executed as on any network; all that has parents is for the checks of the newer node. */
function genesisExecution(execution: () => FloorExecution): BlockExecution {
  return {
    replay: (request) => execution().replay(request),
    bonds: (stateHash) => execution().committee(stateHash),
    parentsPostState: () =>
      Promise.reject(new TypeError("parents of the newer node's blocks are merged by its checks")),
  };
}

function statesOf(states: StateStore, execution: FloorExecution): ReplayStates {
  return {
    importPage: async ({ startPath, take, page }) => importItems(states, { startPath, take }, decodeStoreItems(page)),
    missing: async (root) => findMissing(states, root).nodes,
    recordRoot: async (root) => states.recordRoot(root),
    hasRoot: async (root) => states.hasRoot(root),
    async replay({ block: bytes, preState, invalidBlocks }) {
      const block = decodeBlock(bytes, undefined, rnodeRust.blockForm);
      const told = invalidBlocks.map(({ blockHash, sender }) => ({ hash: blockHash, sender }));
      const outcome = await execution.replay({ block, preStateHash: preState, invalidBlocks: told });
      if (outcome.kind === "replayed") return { ...outcome, bonds: await execution.committee(outcome.postStateHash) };
      return outcome.kind === "failed" ? outcome : { ...outcome, isLimit: outcome.isLimit === true };
    },
  };
}
