import { f1r3nodeChain } from "@vedette/chain/testing";
import { expect, test } from "vitest";
import { checkExecutedBlocks } from "../testing/checkExecutedBlocks.js";

const chain = f1r3nodeChain("trio-r");

// The whole chain is f1r3nodeExecutionOf.process.test.ts.
test(`trio-r as far as its first merge is valid on what was executed before`, async () => {
  expect(await checkExecutedBlocks(chain.slice(0, 6))).toBe(1);
});
