import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { rnode } from "@vedette/protocol";
import { freePort } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import type { NetworkEvent } from "../NetworkEvent.js";
import type { Peer } from "../Peer.js";
import { type TestIdentity, testIdentity } from "../testing/testIdentity.js";
import { TestNode } from "../testing/testNetwork.js";
import type { PeerMessage } from "../transport/peerMessage.js";
import { TransportClient } from "../transport/TransportClient.js";
import { TransportServer } from "../transport/TransportServer.js";
import { Connections } from "./Connections.js";
import { HandshakeScheduler } from "./HandshakeScheduler.js";

/** A stopped clock: no pause between two attempts to reach a peer ends by itself. */
const stopped = { nowMs: () => 0 };
const quick = { greeter: { firstPauseMs: 10, longestPauseMs: 20 } };

describe("a peer that was killed and is back", () => {
  test("is answered though the last attempts to reach it have failed, and is sent to at once", async () => {
    await using steady = await new TestNode(stopped).start();
    const identity = testIdentity();
    const peer = await placeOf(identity);
    await expect(steady.network.send(peer, "HasBlock", Uint8Array.of(1))).rejects.toThrow();
    await expect(steady.network.send(peer, "HasBlock", Uint8Array.of(1))).rejects.toThrow();
    await using back = await new TestNode({ local: peer, bootstrap: steady.peer }, identity).start();
    await back.until(() => back.network.peers.length === 1);
    await steady.network.send(back.peer, "BlockRequest", Uint8Array.of(2));
    await back.until(() => back.packets.length === 1);
  });

  test("is offered a handshake as soon as it speaks to one that does not count it as connected", async () => {
    await using forgetful = await new TestNode({ discoveryIntervalMs: 3_600_000 }).start();
    await using other = await new TestNode().start();
    await other.network.connect(forgetful.peer);
    await forgetful.until(() => forgetful.network.peers.length === 1);
    await other.until(() => other.network.peers.length === 1);
    forgetful.network.forget(other.peer.id);
    await other.network.send(forgetful.peer, "BlockRequest", Uint8Array.of(1));
    await forgetful.until(() => forgetful.network.peers.length === 1);
    expect(forgetful.network.peers).toEqual([other.peer]);
  });
});

describe("a node without any connection", () => {
  test("calls those it remembers until one of them is there", async () => {
    const identity = testIdentity();
    const [gone, peer] = [await placeOf(testIdentity()), await placeOf(identity)];
    await using alone = await new TestNode({ ...quick, remembered: [gone, peer] }).start();
    await alone.until(() => alone.events.filter(({ type }) => type === "handshakeFailed").length >= 6);
    await using late = await new TestNode({ local: peer }, identity).start();
    await alone.until(() => alone.network.peers.length === 1);
    expect(alone.network.peers).toEqual([late.peer]);
  });

  test("offers its handshake again to a peer that took it and has not answered, as gRPC's pauses make peers do", async () => {
    const { id, certificate, privateKey } = testIdentity();
    let place: Peer = { id, host: "127.0.0.1", protocolPort: 0, discoveryPort: 1 };
    const shared = {
      ...{ certificate, privateKey, networkId: "test", local: () => place, emit: () => {} },
      ...{ nowMs: () => performance.now(), dialect: rnode },
    };
    let taken = 0;
    using answers = new TransportClient(shared);
    const handle = async (sender: Peer, message: PeerMessage) => {
      if (message.type === "handshake" && ++taken === 4) await answers.send(sender, { type: "handshakeResponse" });
    };
    await using slow = new TransportServer({ ...shared, handle });
    place = { ...place, protocolPort: await slow.listen(0, "127.0.0.1") };
    await using alone = await new TestNode({ ...quick, bootstrap: place, discoveryIntervalMs: 3_600_000 }).start();
    await alone.until(() => alone.network.peers.length === 1);
    expect(alone.network.peers).toEqual([place]);
    expect(taken).toBeGreaterThanOrEqual(4);
  });

  test("begins to call again when the last of its peers has gone", async () => {
    const identity = testIdentity();
    const peer = await placeOf(identity);
    const first = await new TestNode({ local: peer }, identity).start();
    await using left = await new TestNode({ ...quick, remembered: [peer] }).start();
    await left.until(() => left.network.peers.length === 1);
    await first.until(() => first.network.peers.length === 1);
    await first[Symbol.asyncDispose]();
    await left.until(() => left.network.peers.length === 0);
    await using again = await new TestNode({ local: peer }, identity).start();
    await left.until(() => left.network.peers.length === 1);
    await again.until(() => again.network.peers.length === 1);
  });
});

test("strangers that announce silent hosts do not delay calls to known peers", async () => {
  const { signal } = new AbortController();
  const called: string[] = [];
  const events: NetworkEvent[] = [];
  const emit = (event: NetworkEvent) => void events.push(event);
  const send = (peer: Peer) => {
    called.push(peer.id);
    return new Promise<void>(() => {});
  };
  const connections = new Connections(emit, 10);
  const greeter = new HandshakeScheduler({ connections, send, emit, nowMs: () => 0, onOffered: () => {} });
  const peerOf = (id: string): Peer => ({ id, host: "192.0.2.1", protocolPort: 1, discoveryPort: 1 });
  for (let stranger = 0; stranger < 100; stranger++) greeter.spokeUp(peerOf(`stranger ${stranger}`), signal);
  expect(called.length).toBe(16);
  const known = Array.from({ length: 100 }, (_, index) => peerOf(`known ${index}`));
  void greeter.greet(known, signal);
  void greeter.greet(known, signal);
  expect(called.slice(16)).toEqual(known.slice(0, 64).map(({ id }) => id));
});

test("a peer that sends again and again makes the node try its announced place at most four times a second", async () => {
  let attempts = 0;
  const place = createServer((socket) => {
    attempts++;
    socket.destroy();
  });
  place.listen(0, "127.0.0.1");
  await once(place, "listening");
  const { port } = place.address() as AddressInfo;
  await using node = await new TestNode({ nowMs: () => performance.now() }).start();
  const { id, certificate, privateKey } = testIdentity();
  const announced: Peer = { id, host: "127.0.0.1", protocolPort: port, discoveryPort: port };
  using caller = new TransportClient({
    ...{ certificate, privateKey, networkId: "test", local: () => announced, emit: () => {} },
    ...{ nowMs: () => performance.now(), dialect: rnode },
  });
  const startedMs = performance.now();
  for (let call = 0; call < 40; call++) {
    await caller.send(node.peer, { type: "handshake" });
    await caller.send(node.peer, { type: "packet", typeId: "BlockRequest", content: Uint8Array.of(call % 256) });
  }
  await node.until(() => node.events.some(({ type }) => type === "handshakeFailed"));
  expect(attempts).toBeGreaterThan(0);
  expect(attempts).toBeLessThanOrEqual(1 + (performance.now() - startedMs) / 250);
  place.close();
});

/** A place of a node, with free ports. */
async function placeOf(identity: TestIdentity): Promise<Peer> {
  return { id: identity.id, host: "127.0.0.1", protocolPort: await freePort(), discoveryPort: await freePort() };
}
