import type { SyncEvent, SyncStatus } from "@vedette/sync";
import { expect, test } from "vitest";
import { FarBehind } from "./FarBehind.js";

const status = (change: Partial<SyncStatus>): SyncStatus => ({
  ...{ state: "running", approved: undefined, height: 100n, bestHeight: 100n, peers: 1, waitingBlocks: 0 },
  ...{ readyBlocks: 0, unjudgedBlocks: 0, revisedVerdicts: 0, requestedBlocks: 0, ...change },
});
const given = (number: bigint) => ({ type: "blockProcessingStarted", block: { number } }) as unknown as SyncEvent;

test("a node is far behind what is known, what waits, and what peers have given", () => {
  let nowMs = 0;
  const behind = new FarBehind(() => nowMs);
  expect(behind.isIn(status({}))).toBe(false);
  expect(behind.isIn(status({ bestHeight: 163n }))).toBe(false);
  expect(behind.isIn(status({ bestHeight: 164n }))).toBe(true);
  expect(behind.isIn(status({ waitingBlocks: 64 }))).toBe(true);
  expect(behind.isIn(status({ state: "initializing", waitingBlocks: 64 }))).toBe(false);
  behind.onSyncEvent(given(180n));
  behind.onSyncEvent(given(101n));
  expect(behind.isIn(status({}))).toBe(true);
  expect(behind.isIn(status({ height: 117n, bestHeight: undefined }))).toBe(false);
  nowMs = 600_001;
  expect(behind.isIn(status({}))).toBe(false);
  behind.onSyncEvent(given(150n));
  expect(behind.isIn(status({ height: 86n, bestHeight: 86n }))).toBe(true);
  expect(behind.isIn(status({ height: 87n, bestHeight: 87n }))).toBe(false);
});
