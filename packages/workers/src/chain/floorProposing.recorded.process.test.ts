import { describe, expect, test } from "vitest";
import { checkContestedRounds } from "../testing/contestedRounds.js";
import { ownBeginning, recordedBeginning } from "../testing/FloorNetwork.js";

const recorded = recordedBeginning();

describe("contested rounds of three validators end with each deploy in the state once", () => {
  test("on a recorded genesis", async () => {
    // A block on the recorded genesis takes eight times as long as one on our own.
    const { blocks, count, rejections, lastFinalized } = await checkContestedRounds(recorded, {
      ...{ rounds: 10, afterwards: 20 },
    });
    expect(blocks).toBe(91);
    expect(rejections.deploys).toBeGreaterThan(10);
    expect(lastFinalized).toBeGreaterThan(25);
    expect(count).toBe(30n);
  });

  test("on our own contracts", async () => {
    const { blocks, count, rejections } = await checkContestedRounds(ownBeginning(), { rounds: 30, afterwards: 30 });
    expect(blocks).toBe(181);
    expect(rejections.deploys).toBeGreaterThan(30);
    expect(count).toBe(90n);
  });
});
