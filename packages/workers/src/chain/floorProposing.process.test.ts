import { expect, test } from "vitest";
import { checkContestedRounds } from "../testing/contestedRounds.js";
import { recordedFirstBlock } from "../testing/FloorNetwork.js";

const skipped = recordedFirstBlock === undefined ? " (skipped: not here)" : "";

test.skipIf(recordedFirstBlock === undefined)(
  `thirty contested rounds of three validators end with each deploy in the state once${skipped}`,
  async () => {
    const { blocks, count, rejections, lastFinalized } = await checkContestedRounds({ rounds: 30, afterwards: 30 });
    expect(blocks).toBe(181);
    expect(rejections.deploys).toBeGreaterThan(30);
    expect(lastFinalized).toBeGreaterThan(55);
    expect(count).toBe(90n);
  },
  600_000,
);
