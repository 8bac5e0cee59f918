import { expect, test } from "vitest";
import { checkContestedRounds } from "../testing/contestedRounds.js";
import { ownBeginning } from "../testing/FloorNetwork.js";

test("three hundred blocks of three validators that contest a cell are valid for all", async () => {
  const { blocks, lastFinalized } = await checkContestedRounds(ownBeginning(), { rounds: 100, afterwards: 0 });
  expect(blocks).toBe(301);
  expect(lastFinalized).toBeGreaterThan(90);
});
