import { expect, test } from "vitest";
import { checkContestedRounds } from "../testing/contestedRounds.js";
import { ownBeginning } from "../testing/F1r3nodeTestNetwork.js";

test("contested rounds of three validators end with each deploy in the state once", async () => {
  const { blocks, count, rejections } = await checkContestedRounds(ownBeginning(), { rounds: 12, afterwards: 12 });
  expect(blocks).toBe(73);
  expect(rejections.deploys).toBeGreaterThan(12);
  expect(count).toBe(36n);
});
