import { fromHex, toHex } from "@vedette/crypto";
import { decodeBlock } from "@vedette/protocol";
import { bootstrapRegistry, installSystemProcesses, matchDatum } from "@vedette/rholang";
import { MemoryStore, tablesOf } from "@vedette/store";
import { chainsDirectory, recordedBlocks } from "@vedette/testing";
import { emptyRoot, PlaySpace, StateStore } from "@vedette/tuplespace";
import { expect, test } from "vitest";
import { bonds } from "../query/bonds.js";
import type { InvalidBlock } from "../runtime/Runtime.js";
import { printReplayFailure } from "./ReplayFailure.js";
import { replayBlock } from "./replayBlock.js";

const isMissing = chainsDirectory() === undefined;
const note = isMissing ? " (skipped: ../shared is not there)" : "";

for (const chain of ["solo", "trio", "merge", "equivocation-v1", "equivocation-v3b"]) {
  test.skipIf(isMissing)(`every valid block of ${chain} replays to its post-state${note}`, () => {
    const store = new StateStore(new MemoryStore(tablesOf("state")));
    const space = new PlaySpace(store, matchDatum, emptyRoot);
    installSystemProcesses(space);
    bootstrapRegistry(space);
    space.checkpoint();
    const invalidBlocks: InvalidBlock[] = [];
    for (const { bytes, facts } of recordedBlocks(chain)) {
      if (facts.invalid) invalidBlocks.push({ blockHash: fromHex(facts.hash), sender: fromHex(facts.sender) });
      if (facts.invalid || facts.parents.length > 1) continue;
      const block = decodeBlock(bytes);
      const result = replayBlock(store, { block, preState: block.body.state.preStateHash, invalidBlocks });
      const text = `#${facts.number} ${facts.hash.slice(0, 10)}`;
      if ("failure" in result)
        expect.fail(`${text} deploy ${result.deployIndex}: ${printReplayFailure(result.failure)}`);
      expect(toHex(result.postState), text).toBe(facts.postState);
      const found = bonds(store, result.postState).map(({ validator, stake }) => `${toHex(validator)} ${stake}`);
      expect(found.sort()).toEqual(facts.bonds.map(({ validator, stake }) => `${validator} ${stake}`).sort());
    }
  });
}
