import { expect, test } from "vitest";
import { simulateLight } from "./simulateLight.js";

test("light clients of a hundred small networks accept final blocks alone, whatever a server shows", async () => {
  const failures: string[] = [];
  let [shown, sideBlocks, takeovers] = [0, 0, 0];
  for (let seed = 1; seed <= 100; seed += 1) {
    const outcome = await simulateLight(seed, 160);
    if (outcome.wrong.length > 0) failures.push(`seed ${seed}: ${outcome.wrong.join("; ")}`);
    shown += outcome.shown;
    sideBlocks += outcome.sideBlocks;
    takeovers += outcome.reportsTakeover === true ? 1 : 0;
  }
  expect(failures).toEqual([]);
  // The property is not empty.
  expect(Math.min(shown, sideBlocks)).toBeGreaterThan(100);
  expect(takeovers).toBeGreaterThan(20);
});
