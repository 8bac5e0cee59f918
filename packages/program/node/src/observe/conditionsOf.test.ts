import { areUnready, type conditionCodes, type SyncStatusView } from "@vedette/api";
import { expect, test } from "vitest";
import { type ConditionSources, conditionsOf } from "./conditionsOf.js";

const sync: SyncStatusView = {
  ...{ phase: "following", blockNumber: 9n, bestPeerBlockNumber: 9n, finalizedBlockNumber: 8n },
  progress: { unit: "blocks", done: 9, total: 9, perSecond: 0 },
  ...{ blocksPerSecond: 0, secondsLeft: 0, peers: 1, unvalidatedBlocks: 0, revalidatedBlocks: 0, lastError: undefined },
};
const well: ConditionSources = { sync, shortage: undefined };
const finality = { validators: 3, inactiveValidators: [], stalledSinceMs: 5_000, reason: "Finality stalled at #8" };
const history = {
  ...{ phase: "refuted" as const, blockNumber: 3n, target: 4n, blocksPerSecond: 0 },
  reason: "block #3 leads elsewhere.",
};
const replica = {
  ...{
    server: "nats",
    isConnected: true,
    sequence: 1,
    messagesPending: 0,
    messagesSkipped: 0,
    lagMs: 0,
    lastTookMs: 1,
    publishers: [],
  },
  stopReason: "publishers differ.",
};
const index = {
  ...({ phase: "failing", blockNumber: 3n, knownSince: 0n, blocksPerSecond: undefined } as const),
  lastError: "disk I/O error",
};
const shortage = { sinceMs: 70_000, freeBytes: 400e6, lowWaterBytes: 1e9, isRefused: false };

/** For every condition a node that has it, its text, and whether the node is not ready. */
const cases: Readonly<Record<(typeof conditionCodes)[number], [Partial<ConditionSources>, string, boolean]>> = {
  diskFull: [
    { shortage },
    "the disk has 400 MB free, and nothing is written below 1000 MB (storage.low-water-mark)",
    true,
  ],
  otherNetwork: [{ alone: { code: "otherNetwork", reason: "a refuses" }, joinFailure: "x" }, "a refuses", true],
  noPeers: [{ alone: { code: "noPeers", reason: "no peer is connected" } }, "no peer is connected", true],
  cannotJoin: [{ joinFailure: "The bootstrap has no approved block." }, "The bootstrap has no approved block", true],
  clockBehind: [{ clock: { code: "clockBehind", reason: "an hour" } }, "an hour", true],
  stalled: [
    { sync: { ...sync, phase: "stalled", bottleneck: "execution", lastError: "a thread ended" } },
    "blocks wait for execution; last error: a thread ended",
    true,
  ],
  streamStopped: [{ sync: { ...sync, phase: "stalled", replica } }, "publishers differ", true],
  beyondLimits: [{ limit: "Block #9 goes beyond the limits." }, "Block #9 goes beyond the limits", false],
  unjudged: [{ sync: { ...sync, unvalidatedBlocks: 2 } }, "2 blocks could not be validated", false],
  clockAhead: [{ clock: { code: "clockAhead", reason: "an hour" } }, "an hour", false],
  finalityStands: [{ sync: { ...sync, finality } }, "Finality stalled at #8", false],
  historyRefuted: [{ sync: { ...sync, history } }, "block #3 leads elsewhere", true],
  proposingWaits: [{ proposingWaits: "no peer is connected" }, "no peer is connected", false],
  indexFailing: [{ index }, "disk I/O error", false],
};

test.each(Object.entries(cases))(
  "a node with %s reports it, and nothing else",
  (code, [sources, reason, isUnready]) => {
    const found = conditionsOf({ ...well, ...sources });
    expect(found.map((one) => [one.code, one.reason])).toEqual([[code, reason]]);
    expect(areUnready(found.map((one) => ({ ...one, sinceMs: 0 })))).toBe(isUnready);
  },
);

test("a node that is well has none", () => {
  expect(conditionsOf(well)).toEqual([]);
});

test("a validator that has no chain yet waits for that, and makes no blocks for no other reason", () => {
  const founding = { ...sync, finalizedBlockNumber: undefined };
  expect(conditionsOf({ ...well, sync: founding, proposingWaits: "no chain" })).toEqual([]);
});

test("what is known by its own clock keeps its beginning, and the worst comes first", () => {
  const found = conditionsOf({ ...well, index, sync: { ...sync, finality }, shortage });
  expect(found.map(({ code, sinceMs }) => [code, sinceMs])).toEqual([
    ["diskFull", 70_000],
    ["finalityStands", 5_000],
    ["indexFailing", undefined],
  ]);
});
