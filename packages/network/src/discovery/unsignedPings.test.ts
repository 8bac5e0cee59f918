import { expect, test } from "vitest";
import type { Peer } from "../Peer.js";
import { testIdentity } from "../testing/testIdentity.js";
import { TestNode } from "../testing/testNetwork.js";
import { KademliaClient } from "./KademliaClient.js";

/** Sends a ping in somebody's name. @returns whether it was answered, so that it has done what it does */
function pingAs(sender: Peer, to: Peer): Promise<boolean> {
  const signal = new AbortController().signal;
  const client = new KademliaClient({
    ...{ networkId: "test", local: () => sender, timeoutMs: 3_600_000, allowPrivateAddresses: true, signal },
    resolve: async (host) => host,
  });
  return client.ping(to);
}

test("a ping in another's name moves nobody: who answers there has another key", async () => {
  await using known = await new TestNode().start();
  await using attacker = await new TestNode().start();
  await using node = await new TestNode({ bootstrap: known.peer, greeter: { strangerPauseMs: 0 } }).start();
  await node.until(() => node.network.peers.length === 1);
  const { protocolPort, discoveryPort } = attacker.peer;
  expect(await pingAs({ ...known.peer, protocolPort, discoveryPort }, node.peer)).toBe(true);
  expect(await pingAs({ ...known.peer, host: "192.0.2.1" }, node.peer)).toBe(true);
  await node.until(() =>
    node.events.some((event) => event.type === "handshakeFailed" && event.peer.protocolPort === protocolPort),
  );
  expect(node.network.knownPeers).toEqual([known.peer]);
  expect(node.network.peers).toEqual([known.peer]);
});

test("a peer that has moved is found where it proves itself", async () => {
  const identity = testIdentity();
  const before = await new TestNode({}, identity).start();
  await using node = await new TestNode({ bootstrap: before.peer, greeter: { strangerPauseMs: 0 } }).start();
  await node.until(() => node.network.peers.length === 1);
  await before[Symbol.asyncDispose]();
  await using after = await new TestNode({}, identity).start();
  expect(await pingAs(after.peer, node.peer)).toBe(true);
  await node.until(() => node.network.peers.some(({ protocolPort }) => protocolPort === after.peer.protocolPort));
  expect(node.network.knownPeers).toEqual([after.peer]);
});
