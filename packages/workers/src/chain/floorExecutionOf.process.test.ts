import { newerChain } from "@vedette/chain/testing";
import { expect, test } from "vitest";
import { checkExecutedBlocks } from "../testing/checkExecutedBlocks.js";

const chain = newerChain("trio-r");
const skipped = chain === undefined ? " (skipped: not here)" : "";

test.skipIf(chain === undefined)(
  `every block of trio-r is valid on what was executed of those before it${skipped}`,
  async () => {
    expect(chain!.length).toBe(25);
    expect(await checkExecutedBlocks(chain!)).toBe(14);
  },
  300_000,
);
