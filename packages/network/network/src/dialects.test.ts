import { once } from "node:events";
import tls from "node:tls";
import { f1r3node, rnode } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import { NetworkError } from "./NetworkError.js";
import { testIdentity } from "./testing/testIdentity.js";
import { TestNode } from "./testing/testNetwork.js";

const long = Uint8Array.from({ length: 700_000 }, (_, index) => (index * index) >> 9);
const f1r3nodeOptions = { dialect: f1r3node };

describe("nodes of the newer dialect", () => {
  test("shake hands, send packets, and stream what is long with its length in front", async () => {
    await using one = await new TestNode(f1r3nodeOptions).start();
    await using other = await new TestNode(f1r3nodeOptions).start();
    await one.network.connect(other.peer);
    await one.until(() => one.network.peers.length === 1);
    await one.network.send(other.peer, "MergeableEntryRequest", Uint8Array.of(1, 2, 3));
    one.network.stream(other.peer, "StoreItemsMessage", () => long);
    one.network.stream(other.peer, "FloorCacheResponse", () => long.subarray(0, 300_000));
    await other.until(() => other.packets.length === 3);
    expect(other.packets.map(({ typeId }) => typeId)).toEqual([
      "MergeableEntryRequest",
      "StoreItemsMessage",
      "FloorCacheResponse",
    ]);
    expect(Buffer.compare(other.packets[1]!.content, long)).toBe(0);
  });

  test.each([
    ["TLSv1.3", true],
    ["TLSv1.2", false],
  ] as const)("whether they take %s: %s", async (version, isTaken) => {
    await using node = await new TestNode(f1r3nodeOptions).start();
    expect(await speaks(node.peer.protocolPort, version)).toBe(isTaken);
    await using older = await new TestNode().start();
    expect(await speaks(older.peer.protocolPort, version)).toBe(true);
  });

  test("do not call a peer with nothing newer than TLS 1.2", async () => {
    const identity = testIdentity();
    const server = tls.createServer({
      ...{ cert: identity.certificate, key: identity.privateKey, requestCert: true, rejectUnauthorized: false },
      ...{ maxVersion: "TLSv1.2", ALPNProtocols: ["h2"] },
    });
    server.on("tlsClientError", () => {});
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    await using node = await new TestNode(f1r3nodeOptions).start();
    const peer = { id: identity.id, host: "127.0.0.1", protocolPort: port, discoveryPort: port };
    await expect(node.network.send(peer, "HasBlock", Uint8Array.of(1))).rejects.toMatchObject({
      failure: { code: "unavailable" },
    });
    server.close();
  });

  test("take a certificate that names its node in one of the two places, at either end", async () => {
    const odd = testIdentity({ dnsName: "example.org" });
    await using honest = await new TestNode(f1r3nodeOptions).start();
    await using other = await new TestNode(f1r3nodeOptions, odd).start();
    await honest.network.send(other.peer, "HasBlock", Uint8Array.of(1));
    await other.network.send(honest.peer, "HasBlock", Uint8Array.of(2));
    await honest.until(() => honest.packets.length === 1);
    await using neither = await new TestNode(f1r3nodeOptions, testIdentity({ commonName: "a", dnsName: "b" })).start();
    await expect(honest.network.send(neither.peer, "HasBlock", Uint8Array.of(1))).rejects.toThrow(NetworkError);
  });

  test("drop a silent peer after three heartbeats, and forget it, but never the bootstrap", async () => {
    const quick = { ...f1r3nodeOptions, maintenanceIntervalMs: 20, discoveryIntervalMs: 3_600_000 };
    const bootstrap = await new TestNode(f1r3nodeOptions).start();
    const other = await new TestNode({ ...f1r3nodeOptions, bootstrap: bootstrap.peer }).start();
    await using node = await new TestNode({ ...quick, bootstrap: bootstrap.peer, discoveryIntervalMs: 50 }).start();
    await node.until(() => node.network.peers.length === 2 && node.network.knownPeers.length === 2);
    for (const gone of [bootstrap, other]) {
      // Gone without a farewell.
      for (const { id } of gone.network.peers) gone.network.forget(id);
      await gone[Symbol.asyncDispose]();
    }
    await node.until(() => node.network.peers.length === 0);
    expect(node.network.knownPeers).toEqual([bootstrap.peer]);
    expect(node.events.filter(({ type }) => type === "peerUnreachable").length).toBeGreaterThanOrEqual(6);
  });
});

describe("a node of the other dialect", () => {
  test.each([
    ["rnode", "f1r3node", "compressed stream does not begin with its length; it may be of another dialect"],
    ["f1r3node", "rnode", "compressed stream"],
  ] as const)("(%s) cannot stream what is long to one of %s, and reports the reason", async (from, to, reason) => {
    const dialects = { rnode: rnode, f1r3node: f1r3node };
    await using sender = await new TestNode({ dialect: dialects[from] }).start();
    await using receiver = await new TestNode({ dialect: dialects[to] }).start();
    sender.network.stream(receiver.peer, "BlockMessage", () => long);
    await sender.until(() => sender.events.some(({ type }) => type === "streamFailed"));
    expect(sender.events.find(({ type }) => type === "streamFailed")).toMatchObject({
      reason: expect.stringContaining(`Could not receive stream! Protocol error. ${reason}`),
    });
    expect(receiver.packets).toEqual([]);
  });
});

/** Whether a server takes a handshake with this version alone. */
async function speaks(port: number, version: tls.SecureVersion): Promise<boolean> {
  const { certificate: cert, privateKey: key } = testIdentity();
  const socket = tls.connect({
    ...{ host: "127.0.0.1", port, cert, key, rejectUnauthorized: false, ALPNProtocols: ["h2"] },
    ...{ minVersion: version, maxVersion: version },
  });
  const isTaken = new Promise<boolean>((resolve) => {
    socket.once("secureConnect", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("close", () => resolve(false));
  });
  try {
    return await isTaken;
  } finally {
    socket.destroy();
  }
}
