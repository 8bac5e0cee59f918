import { expect, test } from "vitest";
import { checkContestedRounds } from "../testing/contestedRounds.js";
import { recordedFirstBlock } from "../testing/FloorNetwork.js";

const skipped = recordedFirstBlock === undefined ? " (skipped: not here)" : "";

test.skipIf(recordedFirstBlock === undefined)(
  `three hundred blocks of three validators that contest a cell are valid for all${skipped}`,
  async () => {
    const { blocks, lastFinalized } = await checkContestedRounds({ rounds: 100, afterwards: 0 });
    expect(blocks).toBe(301);
    expect(lastFinalized).toBeGreaterThan(90);
  },
  3_600_000,
);
