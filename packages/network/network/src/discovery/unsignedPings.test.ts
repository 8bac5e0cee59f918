import { fromHex } from "@vedette/crypto";
import { expect, test } from "vitest";
import type { Peer } from "../Peer.js";
import { testIdentity } from "../testing/testIdentity.js";
import { TestNode } from "../testing/testNetwork.js";
import { KademliaClient } from "./KademliaClient.js";
import { KademliaTable } from "./KademliaTable.js";

function clientAs(sender: Peer): KademliaClient {
  const signal = new AbortController().signal;
  return new KademliaClient({
    ...{ networkId: "test", local: () => sender, timeoutMs: 3_600_000, allowPrivateAddresses: true, signal },
    resolve: async (host) => host,
  });
}

/** Sends a ping in another peer's name. @returns whether it was answered, so that it has done what it does */
function pingAs(sender: Peer, to: Peer): Promise<boolean> {
  return clientAs(sender).ping(to);
}

/** Returns the peers that a node names to others. */
function lookupAt(node: Peer): Promise<Peer[]> {
  return clientAs(node).lookup(fromHex("00".repeat(20)), node);
}

test("a ping in another peer's name moves no peer: the one that answers there has another key", async () => {
  await using known = await new TestNode().start();
  await using attacker = await new TestNode().start();
  await using node = await new TestNode({ bootstrap: known.peer, greeter: { unknownPeerPauseMs: 0 } }).start();
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
  await using node = await new TestNode({ bootstrap: before.peer, greeter: { unknownPeerPauseMs: 0 } }).start();
  await node.until(() => node.network.peers.length === 1);
  await before[Symbol.asyncDispose]();
  await using after = await new TestNode({}, identity).start();
  expect(await pingAs(after.peer, node.peer)).toBe(true);
  await node.until(() => node.network.peers.some(({ protocolPort }) => protocolPort === after.peer.protocolPort));
  expect(node.network.knownPeers).toEqual([after.peer]);
});

test("an unknown id is handed on to others only where it has proven to be", async () => {
  const quick = { discoveryIntervalMs: 20 };
  await using known = await new TestNode().start();
  await using node = await new TestNode({ ...quick, bootstrap: known.peer }).start();
  await node.until(() => node.network.peers.length === 1);
  await using other = await new TestNode().start();
  const { protocolPort, discoveryPort } = known.peer;
  const inItsName = { ...other.peer, protocolPort, discoveryPort };
  const failed = () =>
    node.events.some((event) => event.type === "handshakeFailed" && event.peer.protocolPort === protocolPort);
  expect(await pingAs(inItsName, node.peer)).toBe(true);
  await node.until(failed);
  expect(node.network.knownPeers).toEqual([known.peer]);
  expect(await lookupAt(node.peer)).toEqual([known.peer]);
  expect(await pingAs(other.peer, node.peer)).toBe(true);
  await node.until(() => node.network.knownPeers.length === 2);
  expect(node.network.knownPeers).toContainEqual(other.peer);
  expect(await lookupAt(node.peer)).toContainEqual(other.peer);
});

test("peers that other peers name are not trusted either: each has to answer a handshake", async () => {
  await using honest = await new TestNode().start();
  await using liar = await new TestNode().start();
  const { protocolPort, discoveryPort } = liar.peer;
  const poisoned = { ...honest.peer, protocolPort, discoveryPort };
  await using node = await new TestNode({ bootstrap: liar.peer, discoveryIntervalMs: 20 }).start();
  await node.until(() => node.network.peers.length === 1);
  // The liar's own table is of the same kind, so that its answer is forged.
  const table = Reflect.get(KademliaTable.prototype, "lookup");
  KademliaTable.prototype.lookup = () => [poisoned];
  try {
    await node.until(() =>
      node.events.some((event) => event.type === "handshakeFailed" && event.peer.id === honest.peer.id),
    );
  } finally {
    KademliaTable.prototype.lookup = table;
  }
  expect(node.network.knownPeers).toEqual([liar.peer]);
});
