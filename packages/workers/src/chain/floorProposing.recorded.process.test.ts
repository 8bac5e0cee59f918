import { expect, test } from "vitest";
import { checkContestedRounds } from "../testing/contestedRounds.js";
import { recordedBeginning } from "../testing/FloorNetwork.js";

test("contested rounds on a recorded genesis end with each deploy in the state once", async () => {
  // A block on the recorded genesis takes eight times as long as one on our own.
  const trial = { rounds: 4, afterwards: 14 };
  const { blocks, count, rejections, lastFinalized } = await checkContestedRounds(recordedBeginning(), trial);
  expect(blocks).toBe(55);
  expect(rejections.deploys).toBeGreaterThan(3);
  expect(lastFinalized).toBeGreaterThan(14);
  expect(count).toBe(12n);
});
