import type { NodeStatusView, ReplicaView, SyncStatusView } from "@vedette/api";
import { TestQueries } from "@vedette/queries/testing";
import { afterAll, describe, expect, test } from "vitest";
import { createHttpServer } from "./server.js";

const queries = TestQueries.empty().queries();
const usual = queries.status.now();
let current = usual;
let changes = 0;
const status = { ...queries.status, changes: () => changes, now: () => current };
const server = createHttpServer({ queries: { ...queries, status }, metrics: async () => "" });
afterAll(() => server.close());

/** Returns the answer of `/health/ready` for a node in this state. */
async function readiness(
  path: string,
  sync: Partial<SyncStatusView>,
  more: Partial<NodeStatusView> = {},
): Promise<[number, string]> {
  changes += 1;
  current = { ...usual, syncStatus: { ...usual.syncStatus, ...sync }, ...more };
  const { statusCode, body } = await server.inject(path);
  return [statusCode, (JSON.parse(body) as { status: string }).status];
}

function replica(change: Partial<ReplicaView>): ReplicaView {
  return {
    ...{ server: "nats", isConnected: true, sequence: 1, messagesPending: 0, messagesSkipped: 0, lagMs: 0 },
    ...{ lastTookMs: 1, stopReason: undefined, publishers: [] },
    ...change,
  };
}

describe("readiness", () => {
  test("goes by the lag that is asked for", async () => {
    const blockNumber = 5n;
    const lagging = { phase: "replaying" as const, blockNumber, replica: replica({ lagMs: 4_000 }) };
    expect(await readiness("/health/ready?maxLag=5", lagging)).toEqual([200, "ready"]);
    expect(await readiness("/health/ready?maxLag=3", lagging)).toEqual([503, "notReady"]);
    expect(await readiness("/health/ready", lagging)).toEqual([503, "notReady"]);
    const stopped = { ...lagging, phase: "stalled" as const, replica: replica({ stopReason: "an alarm" }) };
    expect(await readiness("/health/ready?maxLag=5", stopped)).toEqual([503, "notReady"]);
    const never = { ...lagging, replica: replica({ lagMs: Number.POSITIVE_INFINITY }) };
    expect(await readiness("/health/ready?maxLag=86400", never)).toEqual([503, "notReady"]);
    const empty = { ...lagging, blockNumber: undefined, replica: replica({}) };
    expect(await readiness("/health/ready?maxLag=5", empty)).toEqual([503, "notReady"]);
    const near = { phase: "replaying" as const, blockNumber, bestPeerBlockNumber: 6n };
    expect(await readiness("/health/ready", near)).toEqual([200, "ready"]);
    // How far a node is behind its network cannot be given in seconds.
    expect(await readiness("/health/ready?maxLag=5", near)).toEqual([503, "notReady"]);
    expect(await readiness("/health/ready?maxLag=5", { phase: "following" })).toEqual([200, "ready"]);
    for (const given of ["-1", "soon", "86401"])
      expect((await readiness(`/health/ready?maxLag=${given}`, { phase: "following" }))[0]).toBe(400);
  });

  test("is none while a condition holds that makes the answers old, and names it", async () => {
    const full = { code: "diskFull", sinceMs: 0, reason: "no room" } as const;
    const standing = { code: "finalityStands", sinceMs: 0, reason: "no validator makes blocks" } as const;
    for (const path of ["/health/ready", "/health/ready?maxLag=5"]) {
      expect(await readiness(path, { phase: "following", conditions: [full] })).toEqual([503, "notReady"]);
      expect(await readiness(path, { phase: "following", conditions: [standing] })).toEqual([200, "ready"]);
    }
  });

  test("is none while it is about to stop", async () => {
    expect(await readiness("/health/ready", { phase: "following" }, { isDraining: true })).toEqual([503, "draining"]);
  });
});
