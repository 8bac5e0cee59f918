import { readFileSync } from "node:fs";
import { join } from "node:path";
import { toHex } from "@vedette/crypto";
import { decodeBlock, rnodeRust } from "@vedette/protocol";
import { lengthPrefixed, recordedDirectory } from "@vedette/testing";
import { memoryStateStore, rustSpace } from "@vedette/tuplespace";
import { describe, expect, test } from "vitest";
import { rustExecution } from "../form/rustExecution.js";
import { commitEmptyState } from "../runtime/emptyState.js";
import { printReplayFailure } from "./ReplayFailure.js";
import { replayState } from "./replayState.js";

const chains = recordedDirectory("chains-r");
const skipped = chains === undefined ? " (skipped: no chains here)" : "";

/** No recorded block has a slash. */
const noInvalidBlocks: readonly never[] = [];

describe.skipIf(chains === undefined)(`chains of the newer node${skipped}`, () => {
  test.each(["solo-r", "trio-r"])("every block of %s replays from its pre-state to its post-state", (chain) => {
    const states = memoryStateStore(rustSpace);
    const empty = commitEmptyState(states, rustExecution);
    const messages = lengthPrefixed(readFileSync(join(chains!, chain, "blocks.bin")));
    const known = new Set([toHex(empty)]);
    let replayed = 0;
    for (const message of messages) {
      const block = decodeBlock(message, undefined, rnodeRust.blockForm);
      const { preStateHash: preState, postStateHash } = block.body.state;
      // The states that merges lead to are not there yet.
      if (!known.has(toHex(preState))) continue;
      const result = replayState(states, { block, preState, invalidBlocks: noInvalidBlocks }, rustExecution);
      if ("failure" in result)
        expect.fail(`#${block.number} deploy ${result.deployIndex}: ${printReplayFailure(result.failure)}`);
      expect(toHex(result.postState), `#${block.number}`).toBe(toHex(postStateHash));
      known.add(toHex(result.postState));
      replayed += 1;
    }
    expect(replayed).toBe(chain === "solo-r" ? 33 : 5);
  });
});
