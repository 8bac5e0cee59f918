import tls from "node:tls";
import v8 from "node:v8";
import { until } from "@vedette/testing";
import { testIdentity } from "./testIdentity.js";
import { TestNode } from "./testNetwork.js";

/**
 * A program: a node sends to peers that go away. Prints how many of its sockets were in memory while it knew them, and
 * `done` once they are forgotten. It has a process of its own: to look through the memory of a large one takes seconds.
 */
const peers = 5;

/** Sockets that are left when what is no more in use was collected. */
function socketsInMemory(): number {
  return v8.queryObjects(tls.TLSSocket as never, { format: "count" });
}

const before = socketsInMemory();
{
  // Node.js keeps an ended session until it would have been idle for this time.
  await using node = await new TestNode({ outbound: { idleMs: 300 } }).start();
  for (let count = 0; count < peers; count += 1) {
    await using peer = await new TestNode({}, testIdentity()).start();
    const send = () => node.network.send(peer.peer, "BlockRequest", Uint8Array.of(1));
    // On a busy machine a session may have been idle for this time before its first call.
    await until("a message to arrive", () =>
      send().then(
        () => true,
        () => false,
      ),
    );
  }
  process.stdout.write(`${socketsInMemory() - before} `);
  // The server knows the newest that came.
  let left = 0;
  const areFew = () => (left = socketsInMemory() - before) <= 1;
  await until("the sockets to be forgotten", areFew, { everyMs: 100, state: () => `${left} are left` });
}
process.stdout.write("done\n");
