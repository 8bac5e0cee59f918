import { decodeBlock, rnodeRust } from "@vedette/protocol";
import { lengthPrefixed, readChainFile, recordedBlocks } from "@vedette/testing";
import { memoryStateStore, rustSpace } from "@vedette/tuplespace";
import { rustExecution } from "../form/rustExecution.js";
import { replayBlock } from "../replay/replayBlock.js";
import { replayState } from "../replay/replayState.js";
import { commitEmptyState } from "../runtime/emptyState.js";
import type { TestState } from "../trial/genesisState.js";
import { rustTrial } from "../trial/Trial.js";

/** Played once in the process. */
const known = new Map<string, TestState>();

function once(chain: string, make: () => TestState): TestState {
  const state = known.get(chain) ?? make();
  known.set(chain, state);
  return state;
}

/** The state after the genesis of a recorded chain: the reference's contracts, with the wallets of `testParameters`. */
export function recordedGenesis(chain = "solo"): TestState {
  return once(chain, () => replayGenesis(chain));
}

function replayGenesis(chain: string): TestState {
  const states = memoryStateStore();
  const preState = commitEmptyState(states);
  const block = decodeBlock(recordedBlocks(chain)[0]!.bytes);
  const replayed = replayBlock(states, { block, preState, invalidBlocks: [] });
  if ("failure" in replayed) throw new Error(`The genesis of ${chain} cannot be replayed`);
  return { states, root: replayed.postState };
}

/** The same of a chain of the newer node. */
export function newerRecordedGenesis(chain = "solo-r"): TestState {
  return once(chain, () => replayNewerGenesis(chain));
}

function replayNewerGenesis(chain: string): TestState {
  const states = memoryStateStore(rustSpace);
  const preState = commitEmptyState(states, rustExecution);
  const [genesis] = lengthPrefixed(readChainFile(chain, "blocks.bin"));
  const block = decodeBlock(genesis!, undefined, rnodeRust.blockForm);
  const replayed = replayState(states, { block, preState, invalidBlocks: [] }, rustExecution);
  if ("failure" in replayed) throw new Error(`The genesis of ${chain} cannot be replayed`);
  return { states, root: replayed.postState, trial: rustTrial };
}
