import type { BlockStatus, ChainEvent } from "@vedette/chain";
import type { Block } from "@vedette/protocol";
import type { SyncEvent, SyncStatus } from "@vedette/sync";
import { expect, test } from "vitest";
import { StatusBoard } from "./StatusBoard.js";

let nowMs = 0;
const board = () => {
  nowMs = 1_000_000;
  return new StatusBoard(() => nowMs);
};

function status(facts: Partial<SyncStatus>): SyncStatus {
  const none = {
    waitingBlocks: 0,
    validatableBlocks: 0,
    requestedBlocks: 0,
    unvalidatedBlocks: 0,
    revalidatedBlocks: 0,
    approved: undefined,
  };
  return { state: "running", peers: 1, ...none, height: undefined, bestHeight: undefined, ...facts };
}

const event = (facts: object) => facts as SyncEvent;
const peerOf = (id: string) => ({ id, host: `${id}.example`, protocolPort: 40400, discoveryPort: 40404 });
const blockOf = (number: bigint) => event({ type: "blockAccepted", block: { number } });

test("a node connects, imports, replays, follows", () => {
  const statusBoard = board();
  statusBoard.onSyncEvent(event({ type: "launched", state: "initializing" }));
  statusBoard.onSyncEvent(event({ type: "waitingForFirstConnection" }));
  expect(statusBoard.syncView(status({ state: "waiting", peers: 0 }), undefined).phase).toBe("connecting");
  expect(statusBoard.syncView(status({ state: "initializing" }), undefined)).toMatchObject({
    phase: "importingState",
    progress: { unit: "stateItems", done: 0, total: undefined },
    secondsLeft: undefined,
  });
  const behind = { height: 40n, bestHeight: 100n, waitingBlocks: 1, requestedBlocks: 1 };
  expect(statusBoard.syncView(status(behind), 40n)).toMatchObject({
    phase: "replaying",
    blockNumber: 40n,
    bestPeerBlockNumber: 100n,
    finalizedBlockNumber: 40n,
    progress: { unit: "blocks", done: 40, total: 100 },
  });
  statusBoard.onSyncEvent(event({ type: "hashIgnored", peer: peerOf("aa") }));
  expect(statusBoard.syncView(status({ height: 100n, bestHeight: 100n }), 100n)).toMatchObject({
    phase: "following",
    secondsLeft: 0,
  });
});

test("a node that has only the first block does not follow before a peer has named a block", () => {
  const atGenesis = status({ height: 0n, bestHeight: 0n });
  const statusBoard = board();
  statusBoard.onSyncEvent(event({ type: "waitingForFirstConnection" }));
  statusBoard.onSyncEvent(event({ type: "launched", state: "running" }));
  expect(statusBoard.syncView(atGenesis, 0n).phase).toBe("connecting");
  statusBoard.onSyncEvent(event({ type: "hashAccepted", peer: peerOf("aa") }));
  expect(statusBoard.syncView(atGenesis, 0n).phase).toBe("following");
  const unconnected = board();
  unconnected.onSyncEvent(event({ type: "waitingForFirstConnection" }));
  nowMs += 61_000;
  expect(unconnected.syncView(atGenesis, 0n).phase).toBe("following");
});

test("the rest of an import is estimated from how far the walk over the keys has come", () => {
  const statusBoard = board();
  statusBoard.onSyncEvent(event({ type: "launched", state: "initializing" }));
  const page = { type: "statePageImported", peer: peerOf("aa"), nodes: 100, leaves: 400 };
  for (const step of [1, 2, 3, 4]) {
    nowMs += 1_000;
    statusBoard.onSyncEvent(event({ ...page, totalNodes: 100 * step, totalLeaves: 400 * step }));
    statusBoard.onSyncEvent(
      event({ type: "stateRequested", startPath: [{ index: undefined }, { index: 16 * step - 256 }] }),
    );
  }
  // A quarter of the keys: 2000 items of 8000.
  const { progress, secondsLeft } = statusBoard.syncView(status({ state: "initializing" }), undefined);
  expect(progress).toMatchObject({ done: 2_000 });
  expect(progress.total).toBeGreaterThan(2_000);
  expect(secondsLeft).toBe(Math.ceil((progress.total! - 2_000) / progress.perSecond));
});

test("the time that is left follows from the blocks that were done lately", () => {
  const statusBoard = board();
  for (let block = 0; block < 20; block++) {
    nowMs += 500;
    statusBoard.onSyncEvent(event({ type: "blockValidated" }));
  }
  const { blocksPerSecond, secondsLeft } = statusBoard.syncView(
    status({ height: 20n, bestHeight: 1_020n, requestedBlocks: 5 }),
    0n,
  );
  expect(blocksPerSecond).toBeCloseTo(20 / 9.5, 1);
  expect(secondsLeft).toBe(Math.ceil(1_000 / blocksPerSecond));
  nowMs += 60_000;
  expect(statusBoard.syncView(status({ height: 20n, bestHeight: 1_020n, requestedBlocks: 5 }), 0n)).toMatchObject({
    blocksPerSecond: 0,
    secondsLeft: undefined,
  });
});

test("a node that gets nothing done for two minutes is stalled, whether it imports or replays", () => {
  const statusBoard = board();
  statusBoard.onSyncEvent(event({ type: "launched", state: "initializing" }));
  nowMs += 121_000;
  expect(statusBoard.syncView(status({ state: "initializing" }), undefined).phase).toBe("stalled");
  expect(statusBoard.syncView(status({ height: 1n, validatableBlocks: 1 }), 1n).phase).toBe("stalled");
  expect(statusBoard.syncView(status({ height: 1n }), 1n).phase).toBe("following");
});

test("a block that comes after a long silence does not find the node stalled", () => {
  const statusBoard = board();
  nowMs += 3_600_000;
  statusBoard.onSyncEvent(blockOf(2n));
  expect(statusBoard.syncView(status({ height: 1n, validatableBlocks: 1 }), 1n).phase).toBe("replaying");
  nowMs += 121_000;
  statusBoard.onSyncEvent(blockOf(3n));
  expect(statusBoard.syncView(status({ height: 1n, validatableBlocks: 2 }), 1n).phase).toBe("stalled");
});

test("unchecked blocks do not count in the status, nor do blocks that wait for what no peer has", () => {
  const statusBoard = board();
  statusBoard.onSyncEvent(blockOf(10n ** 15n));
  const unchecked = status({ height: 7n, bestHeight: 7n, waitingBlocks: 70, requestedBlocks: 2_000 });
  expect(statusBoard.syncView(unchecked, 7n)).toMatchObject({
    ...{ phase: "following", bestPeerBlockNumber: 7n, secondsLeft: 0 },
    progress: { done: 7, total: 7 },
  });
});

test("a joiner that has nothing yet shows how high its bootstrap's block is", () => {
  const statusBoard = board();
  statusBoard.onSyncEvent(event({ type: "approvedBlockReceived", block: { number: 90n } }));
  expect(statusBoard.syncView(status({ state: "initializing" }), undefined).bestPeerBlockNumber).toBe(90n);
});

test("a node that has no peers to expect follows itself; one that lost them does not", () => {
  const statusBoard = board();
  expect(statusBoard.syncView(status({ peers: 0, height: 3n }), 3n).phase).toBe("following");
  expect(statusBoard.syncView(status({ peers: 1, height: 3n }), 3n).phase).toBe("following");
  expect(statusBoard.syncView(status({ peers: 0, height: 3n }), 3n).phase).toBe("connecting");
});

test("the last thing that went wrong is shown", () => {
  const statusBoard = board();
  statusBoard.onSyncEvent(event({ type: "statePageRefused", reason: "leaf missing" }));
  expect(statusBoard.syncView(status({}), undefined).lastError).toBe("leaf missing");
  statusBoard.failed("No peer answers.");
  expect(statusBoard.syncView(status({}), undefined).lastError).toBe("No peer answers.");
});

test("a block beyond this node's limits is shown until it is judged or passed", () => {
  const statusBoard = board();
  const block = { hash: Uint8Array.of(7), number: 5n, parents: [Uint8Array.of(1)] } as unknown as Block;
  const beyond: BlockStatus = { status: "BlockException", message: "too large", isLimit: true };
  const refused = { type: "blockRefused", block, status: beyond, recorded: false } as ChainEvent;
  const lastError = (finalized: bigint) => statusBoard.syncView(statusAt(6n), finalized).lastError;
  statusBoard.onChainEvent({ ...refused, status: { ...beyond, isLimit: false } } as ChainEvent);
  expect(lastError(4n)).toBeUndefined();
  statusBoard.onChainEvent(refused);
  expect(lastError(4n)).toMatch(/^Block #5 \(.*\) goes beyond the limits of this node \(too large\)\./);
  statusBoard.onChainEvent({ type: "blockAdded", block } as ChainEvent);
  expect(lastError(4n)).toBeUndefined();
  statusBoard.onChainEvent(refused);
  expect(lastError(5n)).toBeUndefined();
});

const statusAt = (height: bigint) => status({ height });

test("a node that is behind shows what it waits for, and what each peer gave lately", () => {
  const statusBoard = board();
  statusBoard.onSyncEvent(event({ type: "launched", state: "running" }));
  statusBoard.onSyncEvent(event({ type: "hashAccepted", peer: peerOf("aa") }));
  const seen = (facts: Partial<SyncStatus>) => statusBoard.syncView(status(facts), 0n);
  const behind = { height: 40n, bestHeight: 100n };
  expect(seen({ height: 100n, bestHeight: 100n }).bottleneck).toBeUndefined();
  expect(seen({ ...behind, requestedBlocks: 3 }).bottleneck).toBe("fetching");
  expect(seen({ ...behind, validatableBlocks: 2 }).bottleneck).toBe("execution");
  expect(seen({ state: "initializing" }).bottleneck).toBe("fetching");
  expect(seen(behind).sources).toEqual([]);
  statusBoard.onSyncEvent(event({ type: "rangeReceived", peer: peerOf("aa"), blocks: 30 }));
  nowMs += 10_000;
  statusBoard.onSyncEvent(event({ type: "blockAccepted", block: { number: 41n }, peer: peerOf("bb") }));
  statusBoard.onSyncEvent(event({ type: "rangeReceived", peer: peerOf("cc"), blocks: 70 }));
  const given = () => seen(behind).sources!.map(({ nodeId, given: count }) => [nodeId, count]);
  expect(given()).toEqual([
    ["cc", 70],
    ["aa", 30],
    ["bb", 1],
  ]);
  expect(seen(behind).sources![0]!.address).toBe("rnode://cc@cc.example?protocol=40400&discovery=40404");
  nowMs += 25_000;
  expect(given()).toEqual([
    ["cc", 70],
    ["bb", 1],
  ]);
  for (let number = 0; number < 500; number += 1)
    statusBoard.onSyncEvent(
      event({ type: "rangeReceived", peer: peerOf(number.toString(16).padStart(4, "0")), blocks: 1 }),
    );
  expect(given()).toHaveLength(8);
});

test("a joiner that has just begun does not follow before it has the blocks that its peers named", () => {
  const atGenesis = { height: 0n, bestHeight: 0n };
  const statusBoard = board();
  statusBoard.onSyncEvent(event({ type: "waitingForFirstConnection" }));
  statusBoard.onSyncEvent(event({ type: "joinBlockReceived", block: { number: 0n } }));
  statusBoard.onSyncEvent(event({ type: "enteredRunning" }));
  expect(statusBoard.syncView(status(atGenesis), 0n).phase).toBe("connecting");
  statusBoard.onSyncEvent(event({ type: "hashAccepted", peer: peerOf("aa") }));
  expect(statusBoard.syncView(status({ ...atGenesis, requestedBlocks: 1 }), 0n).phase).toBe("connecting");
  statusBoard.onSyncEvent(event({ type: "blockAccepted", block: { number: 40n } }));
  expect(statusBoard.syncView(status({ ...atGenesis, waitingBlocks: 1, requestedBlocks: 1 }), 0n).phase).toBe(
    "connecting",
  );
  const first = { height: 0n, bestHeight: 1n, waitingBlocks: 1, requestedBlocks: 1 };
  expect(statusBoard.syncView(status(first), 0n).phase).toBe("connecting");
  const known = { height: 1n, bestHeight: 40n, waitingBlocks: 39 };
  expect(statusBoard.syncView(status(known), 0n).phase).toBe("replaying");
  expect(statusBoard.syncView(status({ height: 40n, bestHeight: 40n }), 39n).phase).toBe("following");
  // Blocks that come one by one are no reason to doubt it again.
  expect(statusBoard.syncView(status({ height: 40n, bestHeight: 40n, requestedBlocks: 1 }), 39n).phase).toBe(
    "following",
  );
});

test("one peer that names no new block is not enough, since it may have just joined as well", () => {
  const seen = { height: 0n, bestHeight: 0n, peers: 2 };
  const statusBoard = board();
  statusBoard.onSyncEvent(event({ type: "enteredRunning" }));
  statusBoard.onSyncEvent(event({ type: "hashIgnored", peer: peerOf("aa") }));
  statusBoard.onSyncEvent(event({ type: "hashIgnored", peer: peerOf("aa") }));
  expect(statusBoard.syncView(status(seen), 0n).phase).toBe("connecting");
  statusBoard.onSyncEvent(event({ type: "hashAccepted", peer: peerOf("bb") }));
  expect(statusBoard.syncView(status({ ...seen, requestedBlocks: 1 }), 0n).phase).toBe("connecting");
  expect(statusBoard.syncView(status(seen), 0n).phase).toBe("following");
  const silent = board();
  silent.onSyncEvent(event({ type: "enteredRunning" }));
  silent.onSyncEvent(event({ type: "hashIgnored", peer: peerOf("aa") }));
  nowMs += 10_001;
  expect(silent.syncView(status(seen), 0n).phase).toBe("following");
});

test("a node with peers that name no block, or only missing ones, follows what it has after a while", () => {
  const atGenesis = { height: 0n, bestHeight: 0n };
  const unanswered = board();
  unanswered.onSyncEvent(event({ type: "enteredRunning" }));
  expect(unanswered.syncView(status(atGenesis), 0n).phase).toBe("connecting");
  nowMs += 10_001;
  expect(unanswered.syncView(status(atGenesis), 0n).phase).toBe("following");
  const misled = board();
  misled.onSyncEvent(event({ type: "enteredRunning" }));
  misled.onSyncEvent(event({ type: "hashAccepted", peer: peerOf("aa") }));
  nowMs += 60_001;
  expect(misled.syncView(status({ ...atGenesis, requestedBlocks: 9 }), 0n).phase).toBe("following");
});

test("a founder that has no peers follows itself at once", () => {
  const statusBoard = board();
  statusBoard.onSyncEvent(event({ type: "enteredRunning" }));
  expect(statusBoard.syncView(status({ peers: 0, height: 0n }), 0n).phase).toBe("following");
});

test("the reason why a node cannot join is shown until it has joined", () => {
  const statusBoard = board();
  expect(statusBoard.joinFailure).toBeUndefined();
  statusBoard.onSyncEvent(event({ type: "noApprovedBlock" }));
  expect(statusBoard.joinFailure).toBe("the bootstrap has no block to begin with yet");
  statusBoard.onSyncEvent(event({ type: "approvedBlockRefused", reason: "it is of another shard" }));
  expect(statusBoard.joinFailure).toBe("it is of another shard");
  statusBoard.failed("No peer answers.");
  expect(statusBoard.joinFailure).toBe("No peer answers.");
  statusBoard.onSyncEvent(event({ type: "enteredRunning" }));
  expect(statusBoard.joinFailure).toBeUndefined();
});
