import type { SyncStatus } from "@vedette/sync";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type PeerExpectations, ProposeSyncGate } from "./ProposeSyncGate.js";

const idle: SyncStatus = {
  state: "running",
  approved: undefined,
  height: 1n,
  bestHeight: 1n,
  peers: 1,
  waitingBlocks: 0,
  validatableBlocks: 0,
  requestedBlocks: 0,
  unvalidatedBlocks: 0,
  revalidatedBlocks: 0,
};

const peerExpectations: PeerExpectations = { expectsPeers: true, hasProposed: true, waitsForPeer: () => {} };
const quick = { firstPeerMs: 300, tipsMs: 10, maxMs: 600 };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a node on its own may propose at once", async () => {
  const catchUp = new ProposeSyncGate(quick);
  expect(catchUp.reason).toMatch(/not synchronized/);
  await catchUp.run(
    () => ({ ...idle, peers: 0 }),
    { ...peerExpectations, expectsPeers: false },
    new AbortController().signal,
  );
  expect(catchUp.reason).toBeUndefined();
});

test("a node with peers waits for the blocks that they have announced", async () => {
  const catchUp = new ProposeSyncGate(quick);
  let asked = 0;
  const status = () => {
    asked += 1;
    return { ...idle, requestedBlocks: asked < 5 ? 2 : 0 };
  };
  const done = catchUp.run(status, peerExpectations, new AbortController().signal);
  expect(catchUp.reason).toBeDefined();
  const caughtUp = catchUp.done(10_000).then(() => catchUp.reason);
  await vi.runAllTimersAsync();
  expect(await caughtUp).toBeUndefined();
  await done;
  expect(asked).toBeGreaterThanOrEqual(5);
  expect(catchUp.reason).toBeUndefined();
});

test("a block that never comes does not keep a validator silent", async () => {
  const catchUp = new ProposeSyncGate(quick);
  const done = catchUp.run(() => ({ ...idle, requestedBlocks: 1 }), peerExpectations, new AbortController().signal);
  await vi.runAllTimersAsync();
  await done;
  expect(catchUp.reason).toBeUndefined();
});

test("a node that is stopped while it waits does not begin", async () => {
  const catchUp = new ProposeSyncGate(quick);
  const controller = new AbortController();
  const done = catchUp.run(() => ({ ...idle, peers: 0 }), peerExpectations, controller.signal);
  controller.abort();
  await done;
  expect(catchUp.reason).toBeDefined();
});

test("a node that has made blocks goes on without the peers that it knows", async () => {
  const catchUp = new ProposeSyncGate(quick);
  const done = catchUp.run(() => ({ ...idle, peers: 0 }), peerExpectations, new AbortController().signal);
  await vi.runAllTimersAsync();
  await done;
  expect(catchUp.reason).toBeUndefined();
});

test("a node without a block of its key waits for a peer without a limit", async () => {
  const catchUp = new ProposeSyncGate(quick);
  let peers = 0;
  let calls = 0;
  const lonely = { ...peerExpectations, hasProposed: false, waitsForPeer: () => (calls += 1) };
  const done = catchUp.run(() => ({ ...idle, peers }), lonely, new AbortController().signal);
  await vi.advanceTimersByTimeAsync(100 * quick.firstPeerMs);
  expect(calls).toBe(1);
  expect(catchUp.reason).toBeDefined();
  peers = 1;
  await vi.runAllTimersAsync();
  await done;
  expect(catchUp.reason).toBeUndefined();
  expect(calls).toBe(1);
});

test("a node reports what it waits for: a peer, the answers of its peers, or blocks", async () => {
  const catchUp = new ProposeSyncGate({ firstPeerMs: 10_000, tipsMs: 100, maxMs: 10_000 });
  const state = { ...idle, peers: 0, requestedBlocks: 2 };
  const reasons = [catchUp.reason];
  const done = catchUp.run(() => state, peerExpectations, new AbortController().signal);
  reasons.push(catchUp.reason);
  state.peers = 1;
  for (let phase = 0; phase < 2; phase += 1) {
    await vi.advanceTimersByTimeAsync(100);
    reasons.push(catchUp.reason);
  }
  state.requestedBlocks = 0;
  await vi.runAllTimersAsync();
  await done;
  const prefix = "the node is not synchronized with its peers yet: ";
  expect(reasons).toEqual([
    `${prefix}the node has not begun to follow its chain`,
    `${prefix}no peer is connected`,
    `${prefix}its peers were asked for their newest blocks a moment ago`,
    `${prefix}blocks that peers have announced are missing or not executed (2)`,
  ]);
});
