import { toHex } from "@vedette/crypto";
import { decodeBlock, f1r3node } from "@vedette/protocol";
import { lengthPrefixed, readChainFile } from "@vedette/testing";
import { f1r3nodeSpace, memoryStateStore } from "@vedette/tuplespace";
import { expect } from "vitest";
import { f1r3nodeExecution } from "../form/f1r3nodeExecution.js";
import { printReplayFailure } from "../replay/ReplayFailure.js";
import { replayState } from "../replay/replayState.js";
import { commitEmptyState } from "../runtime/emptyState.js";

/** No recorded block has a slash. */
const noInvalidBlocks: readonly never[] = [];

/**
 * Replays those blocks of a recorded chain of f1r3node that go on from a state which was reached, and expects that
 * each leads from its pre-state to its post-state.
 *
 * @returns how many blocks were replayed
 */
export function replayF1r3nodeChain(chain: string): number {
  const states = memoryStateStore(f1r3nodeSpace);
  const empty = commitEmptyState(states, f1r3nodeExecution);
  const messages = lengthPrefixed(readChainFile(chain, "blocks.bin"));
  const known = new Set([toHex(empty)]);
  let replayed = 0;
  for (const message of messages) {
    const block = decodeBlock(message, f1r3node.blockForm);
    const { preStateHash: preState, postStateHash } = block.body.state;
    // The states that merges lead to are not there yet.
    if (!known.has(toHex(preState))) continue;
    const result = replayState(states, { block, preState, invalidBlocks: noInvalidBlocks }, f1r3nodeExecution);
    if ("failure" in result)
      expect.fail(`#${block.number} deploy ${result.deployIndex}: ${printReplayFailure(result.failure)}`);
    expect(toHex(result.postState), `#${block.number}`).toBe(toHex(postStateHash));
    known.add(toHex(result.postState));
    replayed += 1;
  }
  return replayed;
}
