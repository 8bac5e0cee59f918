import { f1r3nodeChain } from "@vedette/chain/testing";
import { expect, test } from "vitest";
import { checkExecutedBlocks } from "../testing/checkExecutedBlocks.js";

const chain = f1r3nodeChain("trio-r");

test(`every block of trio-r is valid on what was executed of those before it`, async () => {
  expect(chain.length).toBe(25);
  expect(await checkExecutedBlocks(chain)).toBe(14);
}, 300_000);
