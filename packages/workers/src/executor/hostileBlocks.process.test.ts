import { expect, test } from "vitest";
import { runScenario } from "../testing/runScenario.js";

test("a block whose program is too large, too deep or doubles without end costs that block alone; the next one is replayed", async () => {
  const good = { next: "replayed", isKept: true };
  expect(await runScenario("hostileBlocks.js")).toEqual([
    { name: "tooLarge", outcome: "beyond limits: The evaluation was given up: memory", ...good },
    { name: "heavy", outcome: "beyond limits: The evaluation was given up: memory", ...good },
    { name: "tooDeep", outcome: expect.stringMatching(/^beyond limits: The program is nested too deeply/), ...good },
    { name: "doubling", outcome: "beyond limits: The evaluation was given up: memory", ...good },
    { name: "malformed", outcome: expect.stringContaining("Found replay status mismatch"), ...good },
  ]);
}, 240_000);
