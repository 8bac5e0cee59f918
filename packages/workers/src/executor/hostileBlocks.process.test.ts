import { expect, test } from "vitest";
import { runScenario } from "../testing/runScenario.js";

/** Where garbage is collected late, as beside others on a busy machine, the engine ends the thread first. */
const doubled = /^beyond limits: The evaluation was given up: memory$|^Error \[ERR_WORKER_OUT_OF_MEMORY\]/;

test("a block whose program is too large, too deep or doubles without end costs that block alone; the next one is replayed", async () => {
  const good = { next: "replayed", isKept: true };
  expect(await runScenario("hostileBlocks.js")).toEqual([
    { name: "tooLarge", outcome: "beyond limits: The evaluation was given up: memory", ...good },
    { name: "heavy", outcome: "beyond limits: The evaluation was given up: memory", ...good },
    { name: "tooDeep", outcome: expect.stringMatching(/^beyond limits: The program is nested too deeply/), ...good },
    { name: "doubling", outcome: expect.stringMatching(doubled), ...good },
    { name: "malformed", outcome: expect.stringContaining("Found replay status mismatch"), ...good },
  ]);
}, 240_000);
