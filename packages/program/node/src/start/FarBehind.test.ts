import type { SyncStatus } from "@vedette/sync";
import { expect, test } from "vitest";
import { isFarBehind } from "./FarBehind.js";

const status = (change: Partial<SyncStatus>): SyncStatus => ({
  ...{ state: "running", approved: undefined, height: 100n, bestHeight: 100n, peers: 1, waitingBlocks: 0 },
  ...{ readyBlocks: 0, unvalidatedBlocks: 0, revalidatedBlocks: 0, requestedBlocks: 0, ...change },
});

test("a node is far behind what enough validators say, what waits, what is ready, and what peers have given", () => {
  expect(isFarBehind(status({}))).toBe(false);
  expect(isFarBehind(status({ bestHeight: 163n }))).toBe(false);
  expect(isFarBehind(status({ bestHeight: 164n }))).toBe(true);
  expect(isFarBehind(status({ bestHeight: undefined }))).toBe(false);
  for (const many of ["waitingBlocks", "readyBlocks", "offeredBlocks"] as const) {
    expect(isFarBehind(status({ [many]: 63 }))).toBe(false);
    expect(isFarBehind(status({ [many]: 64 }))).toBe(true);
  }
  expect(isFarBehind(status({ waitingBlocks: 60, readyBlocks: 2, offeredBlocks: 2 }))).toBe(true);
  expect(isFarBehind(status({ waitingBlocks: 1_000, strangersWaiting: 937 }))).toBe(false);
  expect(isFarBehind(status({ waitingBlocks: 1_000, strangersWaiting: 936 }))).toBe(true);
  expect(isFarBehind(status({ state: "initializing", waitingBlocks: 64 }))).toBe(false);
});
