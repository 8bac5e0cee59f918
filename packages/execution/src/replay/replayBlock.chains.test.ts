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

const v1 =
  "0408fa6246eb7211324b6c9da9fb2d05a5a5cc919da3aa6567e87b35d5c9c1a36b0f6f19a462629bb1111b8b6bfdceb7b36340dce31823cb20fedbcb454ccea804";
const v2 =
  "04c0338717bd54d5db66bc13254ed4e2e09020b88d25d32dfa53a895d1a1771e6b1fae304464983375adccc6727c46682a795287c4f3fbc14f43227417c6315be3";
const v3 =
  "0464f18a87909cb719e6f4487b94aa5f143d221f00524451f38f7ac5a3d4228d0eb59b54df17eb636c7387a5720f403d5e33f967fac118e38898a344c3c69fcef8";

/**
 * The invalid blocks that the creator of 9a51a4f7… saw. The recording names them without their senders and does not
 * hold them: the first three senders stand in that block's justifications, the last two were found by trying every
 * validator; one assignment alone leads to the recorded events.
 */
const invalidInViewOfV3: readonly InvalidBlock[] = [
  ["8228ea1989b19b82329c462c19e234f8b169b9d8fc118c6b2f486e33118ddd0a", v1],
  ["5844df364c1bf34469bf57a16b92fc715596153739e42f41715d4726c38b6ed8", v3],
  ["6ba9e68592d088d2ed8b620b2313a9d7ccd0478dba49905d859d107186f09a1d", v2],
  ["86dd72d93eb4590e0f6ff7c71b85a580f7950f72119eadcf1951e8da390b3552", v2],
  ["b7092ecf45a637c58e59d9e317610ce12bbabd8dd5260a1247c31b058bfe8976", v3],
].map(([hash, sender]) => ({ blockHash: fromHex(hash!), sender: fromHex(sender!) }));

for (const chain of ["solo", "trio", "merge", "equivocation-v1", "equivocation-v3b"]) {
  test.skipIf(isMissing)(`every valid block of ${chain} replays to its post-state${note}`, () => {
    const store = new StateStore(new MemoryStore(tablesOf("state")));
    const space = new PlaySpace(store, matchDatum, emptyRoot);
    installSystemProcesses(space);
    bootstrapRegistry(space);
    space.checkpoint();
    const invalidBlocks = chain === "equivocation-v3b" ? invalidInViewOfV3 : [];
    for (const { bytes, facts } of recordedBlocks(chain)) {
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
