import { decodeBlock } from "@vedette/protocol";
import { recordedBlocks } from "@vedette/testing";
import { memoryStateStore } from "@vedette/tuplespace";
import { replayBlock } from "../replay/replayBlock.js";
import { commitEmptyState } from "../runtime/emptyState.js";
import type { TestState } from "../trial/genesisState.js";

/** The state after the genesis of a recorded chain: the reference's contracts, with the wallets of `testParameters`. */
export function recordedGenesis(chain = "solo"): TestState {
  const states = memoryStateStore();
  const preState = commitEmptyState(states);
  const block = decodeBlock(recordedBlocks(chain)[0]!.bytes);
  const replayed = replayBlock(states, { block, preState, invalidBlocks: [] });
  if ("failure" in replayed) throw new Error(`The genesis of ${chain} cannot be replayed`);
  return { states, root: replayed.postState };
}
