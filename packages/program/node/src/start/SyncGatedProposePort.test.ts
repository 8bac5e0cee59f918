import { ProposeRequests } from "@vedette/queries";
import type { SyncStatus } from "@vedette/sync";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ProposeSyncGate } from "./ProposeSyncGate.js";
import { SyncGatedProposePort } from "./SyncGatedProposePort.js";

const quick = { firstPeerMs: 300, tipsMs: 200, maxMs: 600 };
const status: SyncStatus = {
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
const peerExpectations = { expectsPeers: true, hasProposed: true, waitsForPeer: () => {} };

function requests(catchUp: ProposeSyncGate, { hasChain = true, syncWaitTimeoutMs = 10_000 } = {}): ProposeRequests {
  const queue = {
    propose: async () => {
      const { reason } = catchUp;
      return reason === undefined
        ? ({ kind: "created", blockHash: Uint8Array.of(7) } as const)
        : ({ kind: "notCreated", status: "NotSynchronized", sequenceNumber: 3, reason } as const);
    },
    latestResult: async () => undefined,
  };
  const port = new SyncGatedProposePort({ queue, catchUp, hasChain: () => hasChain, syncWaitTimeoutMs });
  return new ProposeRequests({ port, isRunning: () => true });
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a request for a block right after a start waits until the node has caught up", async () => {
  const catchUp = new ProposeSyncGate(quick);
  const answer = requests(catchUp).propose(false);
  const caughtUp = catchUp.run(() => status, peerExpectations, new AbortController().signal);
  await vi.runAllTimersAsync();
  await caughtUp;
  expect(await answer).toBe("Success! Block 07 created and added.");
});

test("a request that has waited long enough fails with what the node waits for", async () => {
  const one = requests(new ProposeSyncGate(quick), { syncWaitTimeoutMs: 100 });
  const rejected = expect(one.propose(false)).rejects.toThrow(
    "Failure: NotSynchronized (seqNum 3): the node is not synchronized with its peers yet: the node has not begun",
  );
  await vi.runAllTimersAsync();
  await rejected;
});

test("a request does not wait for a node that is about to join its network", async () => {
  const one = requests(new ProposeSyncGate(quick), { hasChain: false, syncWaitTimeoutMs: 3_600_000 });
  await expect(one.propose(false)).rejects.toThrow("NotSynchronized");
});
