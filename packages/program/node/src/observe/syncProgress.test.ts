import type { SyncStatusView } from "@vedette/api";
import { expect, test } from "vitest";
import { progressLine } from "./syncProgress.js";

const source = { address: "rnode://aa@a.example?protocol=40400&discovery=40404", nodeId: "aa", given: 90 };
const behind: SyncStatusView = {
  ...{ phase: "replaying", blockNumber: 1_200n, bestPeerBlockNumber: 9_000n, finalizedBlockNumber: 1_190n },
  progress: { unit: "blocks", done: 1_200, total: 9_000, perSecond: 130 },
  ...{
    blocksPerSecond: 130,
    secondsLeft: 60,
    peers: 2,
    unvalidatedBlocks: 0,
    revalidatedBlocks: 0,
    lastError: undefined,
  },
  ...{ bottleneck: "execution", sources: [source] },
};

test("the log reports how far behind a node is, how fast it is, and which peer gives blocks", () => {
  const text = (facts: Partial<SyncStatusView>) => progressLine({ ...behind, ...facts })?.text;
  expect(text({})).toBe(`Behind: block #1200 of #9000, 130 blocks/s, 60 s left; given by ${source.address}.`);
  expect(text({ bottleneck: "fetching", secondsLeft: 4_000, sources: [source, source, source] })).toBe(
    `Behind: block #1200 of #9000, 130 blocks/s, 67 min left, waiting for blocks; given by ${source.address} and 2 more.`,
  );
  const importing = { unit: "stateItems", done: 500, total: 2_000, perSecond: 100 } as const;
  expect(text({ phase: "importingState", progress: importing, secondsLeft: 9_000, sources: [] })).toBe(
    "State: 500 of about 2000 items, 100 items/s, 2.5 h left.",
  );
  expect(text({ phase: "importingState", progress: { ...importing, total: undefined }, secondsLeft: undefined })).toBe(
    `State: 500 items, 100 items/s; given by ${source.address}.`,
  );
});

test("a node that follows, or is nearly there, does not log it", () => {
  expect(progressLine({ ...behind, phase: "following" })).toBeUndefined();
  expect(progressLine({ ...behind, blockNumber: 8_950n })).toBeUndefined();
  expect(progressLine({ ...behind, bestPeerBlockNumber: undefined })).toBeUndefined();
});
