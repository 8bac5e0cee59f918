import { F1r3nodeStates } from "@vedette/execution";
import { type Block, decodeBlock, decodeStoreItems, f1r3node } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { lengthPrefixed, readChainFile } from "@vedette/testing";
import { f1r3nodeSpace, StateStore } from "@vedette/tuplespace";

/** The first blocks of a recorded chain of f1r3node, with the states that they lead to. */
export interface F1r3nodeChain {
  readonly store: MemoryStore;
  readonly states: StateStore;
  /** In the recorded order; with one parent at most each. */
  readonly blocks: readonly Block[];
}

/** Takes the exported state of genesis, and executes the blocks that go on from it, up to a number. */
export function f1r3nodeChain(chain: "solo-r" | "trio-r", upTo: bigint): F1r3nodeChain {
  const blocks = lengthPrefixed(readChainFile(chain, "blocks.bin"))
    .map((bytes) => decodeBlock(bytes, f1r3node.blockForm))
    .filter(({ number, parents }) => number <= upTo && parents.length < 2);
  const { store, states } = stateOf(readChainFile(chain, "state-genesis.bin"));
  states.recordRoot(blocks[0]!.body.state.postStateHash);
  const floor = new F1r3nodeStates(store, states);
  for (const block of blocks.slice(1)) {
    const replayed = floor.replay({ block, preState: block.body.state.preStateHash, invalidBlocks: [] });
    if ("failure" in replayed) throw new TypeError(`block #${block.number} was not replayed`);
  }
  return { store, states, blocks };
}

/** The exported state of a chain's last finalized block; its root is for the caller to record. */
export function lastF1r3nodeState(chain: "solo-r" | "trio-r"): Pick<F1r3nodeChain, "store" | "states"> {
  return stateOf(readChainFile(chain, "state-lfb.bin"));
}

function stateOf(pages: Uint8Array): Pick<F1r3nodeChain, "store" | "states"> {
  const store = new MemoryStore(tablesOf("state"));
  const states = new StateStore(store, { form: f1r3nodeSpace });
  for (const page of lengthPrefixed(pages)) {
    const { historyItems, dataItems } = decodeStoreItems(page);
    states.putItems(historyItems, dataItems);
  }
  return { store, states };
}
