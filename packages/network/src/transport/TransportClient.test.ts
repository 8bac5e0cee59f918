import tls from "node:tls";
import v8 from "node:v8";
import { expect, test } from "vitest";
import { testIdentity } from "../testing/testIdentity.js";
import { TestNode } from "../testing/testNetwork.js";

/** After what is no more in use was collected. */
function socketsInMemory(): number {
  return v8.queryObjects(tls.TLSSocket as never, { format: "count" });
}

test("of peers that are gone no connection is kept", async () => {
  // Tests before this one may have left some.
  const before = socketsInMemory();
  // Node.js holds a session that has ended until it would have been idle for so long.
  await using node = await new TestNode({ outbound: { idleMs: 2_000 } }).start();
  for (let peers = 0; peers < 5; peers += 1) {
    await using peer = await new TestNode({}, testIdentity()).start();
    await node.network.send(peer.peer, "BlockRequest", Uint8Array.of(1));
  }
  expect(socketsInMemory()).toBeGreaterThan(before);
  // The server knows the newest that came.
  await expect.poll(socketsInMemory, { timeout: 30_000, interval: 1_000 }).toBeLessThanOrEqual(before + 1);
});
