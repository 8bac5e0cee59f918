import { areRecordingsThere, ownChain, usualCases } from "@vedette/testing";
import { expect, test } from "vitest";
import { runScenario } from "../testing/runScenario.js";

/** Where garbage is collected late, as beside others on a busy machine, the engine ends the thread first. */
const doubled = /^beyond limits: The evaluation was given up: memory$|^Error \[ERR_WORKER_OUT_OF_MEMORY\]/;

/**
 * Chains of either node; the newer one's if it is beside the checkout. A block of that one takes several times as long.
 */
const chains = [...(areRecordingsThere ? [["solo-r", "f1r3node"]] : []), [ownChain, "rnode"]];

test.each(usualCases(chains))(
  "a block with a program that is too large, too deep or doubles without end costs that block alone; the next one is replayed: %s, %s",
  async (...chain) => {
    const good = { next: "replayed", isKept: true };
    expect(await runScenario("hostileBlocks.js", chain)).toEqual([
      { name: "tooLarge", outcome: "beyond limits: The evaluation was given up: memory", ...good },
      { name: "heavy", outcome: "beyond limits: The evaluation was given up: memory", ...good },
      { name: "tooDeep", outcome: expect.stringMatching(/^beyond limits: The program is nested too deeply/), ...good },
      { name: "doubling", outcome: expect.stringMatching(doubled), ...good },
      { name: "malformed", outcome: expect.stringContaining("Found replay status mismatch"), ...good },
    ]);
  },
);
