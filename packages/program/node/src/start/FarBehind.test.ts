import type { SyncStatus } from "@vedette/sync";
import { expect, test } from "vitest";
import { isFarBehind } from "./FarBehind.js";

const status = (change: Partial<SyncStatus>): SyncStatus => ({
  ...{ state: "running", approved: undefined, height: 100n, bestHeight: 100n, peers: 1, waitingBlocks: 0 },
  ...{ validatableBlocks: 0, unvalidatedBlocks: 0, revalidatedBlocks: 0, requestedBlocks: 0, ...change },
});

test("a node is far behind what enough validators say, what waits, what is ready, and what peers have given", () => {
  expect(isFarBehind(status({}))).toBe(false);
  expect(isFarBehind(status({ bestHeight: 163n }))).toBe(false);
  expect(isFarBehind(status({ bestHeight: 164n }))).toBe(true);
  expect(isFarBehind(status({ bestHeight: undefined }))).toBe(false);
  for (const many of ["waitingBlocks", "validatableBlocks", "offeredBlocks"] as const) {
    expect(isFarBehind(status({ [many]: 63 }))).toBe(false);
    expect(isFarBehind(status({ [many]: 64 }))).toBe(true);
  }
  expect(isFarBehind(status({ waitingBlocks: 60, validatableBlocks: 2, offeredBlocks: 2 }))).toBe(true);
  expect(isFarBehind(status({ waitingBlocks: 1_000, waitingOfUnbonded: 937 }))).toBe(false);
  expect(isFarBehind(status({ waitingBlocks: 1_000, waitingOfUnbonded: 936 }))).toBe(true);
  expect(isFarBehind(status({ state: "initializing", waitingBlocks: 64 }))).toBe(false);
});
