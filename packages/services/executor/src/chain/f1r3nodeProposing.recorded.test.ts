import { expect, test } from "vitest";
import { checkContestedRounds } from "../testing/contestedRounds.js";
import { recordedBeginning } from "../testing/F1r3nodeTestNetwork.js";

const beginning = recordedBeginning();

// Ten rounds are in floorProposing.long.test.ts.
test(`three validators on a recorded genesis that contest a cell at once agree`, async () => {
  const rounds = { rounds: 1, afterwards: 2 };
  const { blocks, count, rejections, lastFinalized } = await checkContestedRounds(beginning, rounds);
  expect(blocks).toBe(10);
  expect(rejections.deploys).toBe(2);
  expect(lastFinalized).toBeGreaterThan(1);
  expect(count).toBeGreaterThan(0n);
}, 300_000);
