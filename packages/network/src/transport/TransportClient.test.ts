import tls from "node:tls";
import v8 from "node:v8";
import { until } from "@vedette/testing";
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
  await using node = await new TestNode({ outbound: { idleMs: 300 } }).start();
  for (let peers = 0; peers < 5; peers += 1) {
    await using peer = await new TestNode({}, testIdentity()).start();
    const send = () => node.network.send(peer.peer, "BlockRequest", Uint8Array.of(1));
    // Where the machine is busy a session may have been idle for so long before its first call.
    await until("a message to arrive", () =>
      send().then(
        () => true,
        () => false,
      ),
    );
  }
  expect(socketsInMemory()).toBeGreaterThan(before);
  // The server knows the newest that came.
  let left = 0;
  const areFew = () => (left = socketsInMemory()) <= before + 1;
  await until("the sockets to be forgotten", areFew, { everyMs: 200, state: () => `${left - before} are left` });
});
