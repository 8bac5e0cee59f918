import { expect, test } from "vitest";
import { checkContestedRounds } from "../testing/contestedRounds.js";
import { recordedFirstBlock } from "../testing/FloorNetwork.js";

const skipped = recordedFirstBlock === undefined ? " (skipped: not here)" : "";

// Thirty rounds are floorProposing.process.test.ts, a hundred floorProposing.slow.test.ts.
test.skipIf(recordedFirstBlock === undefined)(
  `three validators that contest a cell at once agree${skipped}`,
  async () => {
    const { blocks, count, rejections, lastFinalized } = await checkContestedRounds({ rounds: 1, afterwards: 2 });
    expect(blocks).toBe(10);
    expect(rejections.deploys).toBe(2);
    expect(lastFinalized).toBeGreaterThan(1);
    expect(count).toBeGreaterThan(0n);
  },
  300_000,
);
