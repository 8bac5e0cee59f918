import { decodeBlock, f1r3node, rnode } from "@vedette/protocol";
import { lengthPrefixed, readChainFile, recordedBlocks } from "@vedette/testing";
import { f1r3nodeSpace, memoryStateStore } from "@vedette/tuplespace";
import { f1r3nodeTrial } from "../contractTest/ContractTestDialect.js";
import type { TestState } from "../contractTest/genesisState.js";
import { f1r3nodeExecution } from "../form/f1r3nodeExecution.js";
import { rnodeExecution } from "../form/rnodeExecution.js";
import { replayBlock } from "../replay/replayBlock.js";
import { replayState } from "../replay/replayState.js";
import { commitEmptyState } from "../runtime/emptyState.js";

/** Played once in the process. */
const known = new Map<string, TestState>();

function once(chain: string, make: () => TestState): TestState {
  const state = known.get(chain) ?? make();
  known.set(chain, state);
  return state;
}

/** The state after the genesis of a recorded chain: rnode's contracts, with the wallets of `testParameters`. */
export function recordedGenesis(chain = "solo"): TestState {
  return once(chain, () => replayGenesis(chain));
}

function replayGenesis(chain: string): TestState {
  const states = memoryStateStore();
  const preState = commitEmptyState(states, rnodeExecution);
  const block = decodeBlock(recordedBlocks(chain)[0]!.bytes, rnode.blockForm);
  const replayed = replayBlock(states, { block, preState, invalidBlocks: [] });
  if ("failure" in replayed) throw new Error(`The genesis of ${chain} cannot be replayed`);
  return { states, root: replayed.postState };
}

/** The same of a chain of f1r3node. */
export function f1r3nodeRecordedGenesis(chain = "solo-r"): TestState {
  return once(chain, () => replayF1r3nodeGenesis(chain));
}

function replayF1r3nodeGenesis(chain: string): TestState {
  const states = memoryStateStore(f1r3nodeSpace);
  const preState = commitEmptyState(states, f1r3nodeExecution);
  const [genesis] = lengthPrefixed(readChainFile(chain, "blocks.bin"));
  const block = decodeBlock(genesis!, f1r3node.blockForm);
  const replayed = replayState(states, { block, preState, invalidBlocks: [] }, f1r3nodeExecution);
  if ("failure" in replayed) throw new Error(`The genesis of ${chain} cannot be replayed`);
  return { states, root: replayed.postState, trial: f1r3nodeTrial };
}
