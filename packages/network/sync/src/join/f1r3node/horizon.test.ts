import { describe, expect, test } from "vitest";
import { testBlock, testHash } from "../../testing/testBlock.js";
import { horizonOf, lowestOf, statesOf, usableSeed } from "./horizon.js";

const depths = { parentDepth: 15n, depthBuffer: 10n };
const seedAt = (floorNumber: bigint, frontierNumber = floorNumber) => ({
  ...{ floorHash: testHash("floor"), floorNumber, frontierHash: testHash("frontier"), frontierNumber },
});

describe("how far a joiner of f1r3node's networks looks back", () => {
  test("states and entries: by what parents may lie below, and a buffer", () => {
    expect(horizonOf(100n, depths)).toBe(75n);
    expect(horizonOf(20n, depths)).toBe(0n);
    expect(horizonOf(100n, { ...depths, parentDepth: undefined })).toBe(0n);
  });

  test("blocks: further by the life of deploys, and below floor and frontier", () => {
    expect(lowestOf(100n, depths, undefined)).toBe(25n);
    expect(lowestOf(100n, depths, seedAt(95n))).toBe(25n);
    expect(lowestOf(100n, depths, seedAt(95n, 20n))).toBe(19n);
    expect(lowestOf(100n, depths, seedAt(0n))).toBe(0n);
    expect(lowestOf(60n, depths, undefined)).toBe(0n);
    expect(lowestOf(1000n, { ...depths, parentDepth: undefined }, undefined)).toBe(0n);
    expect(lowestOf(100n, { ...depths, lifespan: 1n }, undefined)).toBe(74n);
  });

  test("a seed that cannot be one is none", () => {
    const block = testBlock(1000, []);
    expect(usableSeed(block, seedAt(990n))).toEqual(seedAt(990n));
    expect(usableSeed(block, undefined)).toBeUndefined();
    for (const number of [1000n, 1001n, -1n, 743n, 1n << 62n]) {
      expect(usableSeed(block, seedAt(number, 990n))).toBeUndefined();
      expect(usableSeed(block, seedAt(990n, number))).toBeUndefined();
    }
    expect(usableSeed(block, { ...seedAt(990n), floorHash: new Uint8Array(0) })).toBeUndefined();
  });

  test("states are wanted once each", () => {
    const genesis = testBlock(0, []);
    const first = testBlock(1, [genesis]);
    const states = [first.body.state.postStateHash, genesis.body.state.postStateHash, testHash("pre")];
    expect(statesOf([first, genesis])).toEqual(states);
  });
});
