import { expect, test } from "vitest";
import { simulateLight } from "./simulateLight.js";

test.each([1, 4])("no choice of blocks makes a light client accept what is not final (seed %i)", async (seed) => {
  const { wrong, shown, sideBlocks, reportsTakeover } = await simulateLight(seed, 160);
  expect(wrong).toEqual([]);
  expect(Math.min(shown, sideBlocks)).toBeGreaterThan(0);
  expect(reportsTakeover).toBe(true);
});
