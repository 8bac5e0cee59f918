import { describe, expect, test } from "vitest";
import { NetworkError } from "./NetworkError.js";
import { testIdentity } from "./testing/testIdentity.js";
import { TestNode } from "./testing/testNetwork.js";

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof NetworkError ? error.failure : error),
  );

describe("two nodes over loopback", () => {
  test("shake hands, send packets, and disconnect", async () => {
    await using one = await new TestNode().start();
    {
      await using other = await new TestNode().start();
      expect(await one.network.connect(other.peer)).toBe(true);
      await one.until(() => one.network.peers.length === 1);
      await other.until(() => other.network.peers.length === 1);
      expect(other.network.peers).toEqual([one.peer]);
      await one.network.send(other.peer, "HasBlock", Uint8Array.of(1, 2, 3));
      await other.until(() => other.packets.length === 1);
      expect(other.packets[0]).toMatchObject({ from: one.peer.id, typeId: "HasBlock" });
      await other.network.broadcast("BlockRequest", Uint8Array.of(9));
      await one.until(() => one.packets.length === 1);
    }
    await one.until(() => one.network.peers.length === 0);
    expect(one.events.some((event) => event.type === "peerForgotten")).toBe(true);
  });

  test("stream a blob of a megabyte, compressed, and a short one as it is", async () => {
    await using one = await new TestNode().start();
    await using other = await new TestNode().start();
    const blob = new Uint8Array(1_200_000);
    for (let index = 0; index < blob.length; index++) blob[index] = (index * index) >> 9;
    one.network.stream(other.peer, "BlockMessage", () => blob);
    one.network.stream(other.peer, "StoreItemsMessage", () => Uint8Array.of(7));
    one.network.stream(other.peer, "BlockMessage", () => undefined);
    await other.until(() => other.packets.length === 2);
    expect(other.packets.map(({ typeId }) => typeId)).toEqual(["BlockMessage", "StoreItemsMessage"]);
    expect(Buffer.compare(other.packets[0]?.content as Uint8Array, blob)).toBe(0);
    await one.until(() => one.events.filter(({ type }) => type === "streamSent").length === 2);
  });

  test("stream incompressible content of a megabyte through many pieces", async () => {
    await using one = await new TestNode().start();
    await using other = await new TestNode().start();
    const blob = new Uint8Array(1_200_000);
    for (let index = 0, state = 1; index < blob.length; index++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      blob[index] = state >>> 24;
    }
    one.network.stream(other.peer, "BlockMessage", () => blob);
    await other.until(() => other.packets.length === 1);
    expect(Buffer.compare(other.packets[0]?.content as Uint8Array, blob)).toBe(0);
  });

  test("connect again when one that waits to be found remembers the other", async () => {
    await using one = await new TestNode().start();
    const gone = { ...one.peer, id: "0".repeat(40), protocolPort: 1 };
    await using other = await new TestNode({ remembered: [gone, one.peer] }).start();
    await other.until(() => other.network.peers.length === 1);
    await one.until(() => one.network.peers.length === 1);
    expect(other.network.peers).toEqual([one.peer]);
    await other.until(() => other.events.some(({ type }) => type === "handshakeFailed"));
  });

  test("a repeated announcement is acknowledged and handled once", async () => {
    await using one = await new TestNode().start();
    await using other = await new TestNode().start();
    for (let times = 0; times < 3; times++) await one.network.send(other.peer, "HasBlock", Uint8Array.of(1));
    await one.network.send(other.peer, "BlockRequest", Uint8Array.of(1));
    await other.until(() => other.packets.some(({ typeId }) => typeId === "BlockRequest"));
    expect(other.packets.length).toBe(2);
  });
});

describe("a refused peer", () => {
  test("a server with a certificate of another id", async () => {
    await using one = await new TestNode().start();
    await using other = await new TestNode().start();
    const impostor = { ...other.peer, id: "ab".repeat(20) };
    expect(await failureOf(one.network.send(impostor, "HasBlock", Uint8Array.of(1)))).toEqual({
      code: "badCertificate",
      reason: `Certificate belongs to node ${other.peer.id}, not to ${impostor.id}`,
    });
  });

  test.for([
    ["of another curve", { curve: "secp384r1" }],
    ["of another name", { commonName: "ab".repeat(20) }],
    ["with another alternative name", { dnsName: "example.org" }],
  ] as const)("a certificate %s, at either end", async ([, oddity]) => {
    await using honest = await new TestNode().start();
    await using odd = await new TestNode({}, testIdentity(oddity)).start();
    const asServer = await failureOf(honest.network.send(odd.peer, "HasBlock", Uint8Array.of(1)));
    expect(asServer).toMatchObject({ code: "badCertificate" });
    const asClient = await failureOf(odd.network.send(honest.peer, "HasBlock", Uint8Array.of(1)));
    expect(asClient).toMatchObject({ code: "unavailable" });
    expect(honest.packets).toEqual([]);
    expect(honest.events.filter(({ type }) => type === "callRefused").length).toBe(1);
  });

  test("a certificate that carries the id as alternative name is a good one", async () => {
    const identity = testIdentity({ commonName: "newer", idAsDnsName: true });
    await using honest = await new TestNode().start();
    await using other = await new TestNode({}, identity).start();
    await honest.network.send(other.peer, "HasBlock", Uint8Array.of(1));
    await other.until(() => other.packets.length === 1);
  });

  test("a node of another network, with rnode's words", async () => {
    await using one = await new TestNode().start();
    await using other = await new TestNode({ networkId: "elsewhere" }).start();
    expect(await failureOf(other.network.send(one.peer, "HasBlock", Uint8Array.of(1)))).toEqual({
      code: "wrongNetwork",
      description: "Wrong network id 'elsewhere'. This node runs on network 'test'",
    });
    expect(await other.network.connect(one.peer)).toBe(false);
    expect(other.events).toContainEqual(expect.objectContaining({ type: "handshakeFailed", wrongNetwork: true }));
    other.network.stream(one.peer, "BlockMessage", () => Uint8Array.of(1));
    await other.until(() => other.events.some(({ type }) => type === "streamFailed"));
    expect(other.events).toContainEqual(
      expect.objectContaining({
        type: "streamFailed",
        reason: "Internal communication error. Got response: Could not receive stream! Wrong network id.",
      }),
    );
  });

  test("a sender that announces another id than its certificate's", async () => {
    await using one = await new TestNode().start();
    const identity = testIdentity();
    const local = { id: "cd".repeat(20), host: "127.0.0.1", protocolPort: 1, discoveryPort: 1 };
    await using liar = new TestNode({ local }, identity);
    expect(await failureOf(liar.network.send(one.peer, "HasBlock", Uint8Array.of(1)))).toEqual({
      code: "protocol",
      description: "Certificate verification failed",
    });
    liar.network.stream(one.peer, "ApprovedBlock", () => Uint8Array.of(1));
    await liar.until(() => liar.events.some(({ type }) => type === "streamFailed"));
    expect(one.packets).toEqual([]);
  });

  test("a message over the limit", async () => {
    await using one = await new TestNode().start();
    await using other = await new TestNode({ inbound: { maxMessageBytes: 1000 } }).start();
    expect(await failureOf(one.network.send(other.peer, "HasBlock", new Uint8Array(2000)))).toMatchObject({
      code: "tooLarge",
    });
  });

  test("a stream over the limit, by its length or by what it claims", async () => {
    await using one = await new TestNode().start();
    await using other = await new TestNode({ inbound: { maxStreamBytes: 700_000 } }).start();
    one.network.stream(other.peer, "BlockMessage", () => new Uint8Array(800_000));
    await one.until(() => one.events.some(({ type }) => type === "streamFailed"));
    expect(one.events).toContainEqual(
      expect.objectContaining({
        reason: "Internal communication error. Got response: Max message size was reached.",
      }),
    );
    expect(other.packets).toEqual([]);
  });
});

describe("what a node survives", () => {
  test("a handler that never ends holds only its peer's queue", async () => {
    await using one = await new TestNode().start();
    await using busy = new TestNode({ inbound: { maxMessageConsumers: 1, messageQueueLength: 2 } });
    let begun = 0;
    await busy.network.start(async () => {
      begun++;
      await new Promise(() => {});
    });
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        failureOf(one.network.send(busy.peer, "BlockRequest", Uint8Array.of(index))),
      ),
    );
    expect(outcomes.filter((failure) => failure === undefined).length).toBe(3);
    expect(outcomes).toContainEqual({
      code: "internalAnswer",
      text: "Packet dropped, 127.0.0.1 packet queue overflown.",
    });
    expect(begun).toBe(1);
  });

  test("memory for a peer's streams runs out before the machine's does", async () => {
    await using one = await new TestNode().start();
    await using other = await new TestNode({ inbound: { memoryBytes: 100_000, memoryBytesPerPeer: 50_000 } }).start();
    one.network.stream(other.peer, "BlockMessage", () => new Uint8Array(60_000));
    one.network.stream(other.peer, "BlockMessage", () => new Uint8Array(40_000));
    await other.until(() => other.packets.length === 1);
    expect(other.packets[0]?.content.length).toBe(40_000);
    await one.until(() => one.events.some(({ type }) => type === "streamFailed"));
  });

  test("a full queue of streams drops new ones, and reports it", async () => {
    await using one = await new TestNode({ outbound: { streamQueueLength: 2 } }).start();
    await using other = await new TestNode().start();
    const taken = Array.from({ length: 5 }, () =>
      one.network.stream(other.peer, "BlockMessage", () => Uint8Array.of(1)),
    );
    expect(taken.filter((room) => room).length).toBeLessThan(5);
    expect(one.events.some(({ type }) => type === "outboundStreamDropped")).toBe(true);
  });

  test("a peer that is away, then comes", async () => {
    let now = 0;
    await using one = await new TestNode({ nowMs: () => now }).start();
    const identity = testIdentity();
    const first = await new TestNode({}, identity).start();
    const { peer } = first;
    await one.network.send(peer, "BlockRequest", Uint8Array.of(1));
    await first[Symbol.asyncDispose]();
    expect(await failureOf(one.network.send(peer, "BlockRequest", Uint8Array.of(2)))).toMatchObject({
      code: "unavailable",
    });
    now += 60_000;
    await using again = await new TestNode({ local: peer }, identity).start();
    await one.network.send(peer, "BlockRequest", Uint8Array.of(3));
    await again.until(() => again.packets.length === 1);
  });

  test("a port in use is a clear error, and nothing is left open", async () => {
    await using one = await new TestNode().start();
    const identity = testIdentity();
    const local = { id: identity.id, host: "127.0.0.1", protocolPort: one.peer.protocolPort, discoveryPort: 0 };
    const second = new TestNode({ local }, identity);
    await expect(second.start()).rejects.toThrow(`Port ${one.peer.protocolPort} is already in use!`);
  });
});

describe("discovery", () => {
  test("nodes that know only the bootstrap find and connect each other", async () => {
    const quick = { discoveryIntervalMs: 50 };
    await using bootstrap = await new TestNode(quick).start();
    await using one = await new TestNode({ ...quick, bootstrap: bootstrap.peer }).start();
    await using other = await new TestNode({ ...quick, bootstrap: bootstrap.peer }).start();
    for (const node of [bootstrap, one, other]) await node.until(() => node.network.peers.length === 2);
    expect(one.network.peers.map(({ id }) => id).sort()).toEqual([bootstrap.peer.id, other.peer.id].sort());
    await other.until(() => other.network.knownPeers.length === 2);
    expect(other.network.knownPeers.map(({ id }) => id).sort()).toEqual([bootstrap.peer.id, one.peer.id].sort());
  });

  test("a node of another network is not entered", async () => {
    const quick = { discoveryIntervalMs: 50 };
    await using bootstrap = await new TestNode(quick).start();
    await using stranger = await new TestNode({ ...quick, networkId: "elsewhere", bootstrap: bootstrap.peer }).start();
    await stranger.until(() => stranger.events.some(({ type }) => type === "handshakeFailed"));
    expect(bootstrap.network.knownPeers).toEqual([]);
  });
});

test("upkeep removes peers that no longer answer", async () => {
  await using one = await new TestNode({ maintenanceIntervalMs: 50 }).start();
  const other = await new TestNode().start();
  await one.network.connect(other.peer);
  await one.until(() => one.network.peers.length === 1);
  // Gone without a farewell: the other's own list is emptied first.
  other.network.forget(one.peer.id);
  await other[Symbol.asyncDispose]();
  await one.until(() => one.network.peers.length === 0);
  expect(one.events.some(({ type }) => type === "peerUnreachable")).toBe(true);
});
