import { newerChain } from "@vedette/chain/testing";
import { expect, test } from "vitest";
import { checkExecutedBlocks } from "../testing/checkExecutedBlocks.js";

const chain = newerChain("trio-r");
const skipped = chain === undefined ? " (skipped: not here)" : "";

// The whole chain is floorExecutionOf.process.test.ts.
test.skipIf(chain === undefined)(
  `trio-r as far as its first merge is valid on what was executed before${skipped}`,
  async () => {
    expect(await checkExecutedBlocks(chain!.slice(0, 6))).toBe(1);
  },
);
