import http2 from "node:http2";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import tls from "node:tls";
import {
  attackers,
  brokenHttp2,
  bystander,
  Flood,
  http2Frame,
  silentHttp2,
  Timed,
  untilClosed,
} from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { callGrpc } from "../grpc/callGrpc.js";
import { usualTimes } from "../grpc/ServedSession.js";
import { testIdentity } from "../testing/testIdentity.js";
import { TestNode } from "../testing/testNetwork.js";
import { decodeAnswer, encodeRequest } from "./peerMessage.js";

const identity = testIdentity();

/** Opens a connection from an address, and sends a heartbeat over it. @throws Error when it is not served */
async function serve(node: TestNode, localAddress = bystander): Promise<void> {
  const { id, host, protocolPort: port } = node.peer;
  const session = http2.connect(`https://${id}`, {
    createConnection: () =>
      tls.connect({
        socket: net.connect({ host, port, localAddress }),
        ...{ servername: id, cert: identity.certificate, key: identity.privateKey },
        ALPNProtocols: ["h2"],
        rejectUnauthorized: false,
      }),
  });
  session.on("error", () => {});
  const sender = { id: identity.id, host: "127.0.0.1", protocolPort: 1, discoveryPort: 1 };
  const messages = [encodeRequest(sender, "test", { type: "heartbeat" })];
  const path = "/routing.TransportLayer/Send";
  const call = { path, scheme: "https", authority: id, messages, deadlineMs: 5_000, maxAnswerBytes: 10_000 } as const;
  const answer = decodeAnswer(await callGrpc(session, call));
  session.destroy();
  if (answer.type !== "ack") throw new Error(`the answer is ${answer.type}`);
}

/** Opens a connection as a peer does, up to the first byte of HTTP/2, and says something. */
async function say(node: TestNode, localAddress: string, bytes: Uint8Array): Promise<tls.TLSSocket> {
  const { host, protocolPort: port } = node.peer;
  const socket = tls.connect({
    socket: net.connect({ host, port, localAddress }),
    ...{ cert: identity.certificate, key: identity.privateKey, ALPNProtocols: ["h2"], rejectUnauthorized: false },
  });
  socket.on("error", () => {});
  socket.resume();
  await new Promise<void>((resolve) => {
    socket.once("close", () => resolve());
    socket.once("secureConnect", () => {
      socket.write(bytes);
      resolve();
    });
  });
  return socket;
}

async function untilNothing(node: TestNode): Promise<number> {
  const beganMs = performance.now();
  while (Object.values(node.network.inbound.protocol).some((count) => count > 0)) await sleep(20);
  return performance.now() - beganMs;
}

const nothing = { handshake: 0, idle: 0, busy: 0, dying: 0 };

function report(what: string, others: Timed, endedMs: number): void {
  process.stdout.write(
    `${what}: another address was served ${others.text}; ` +
      `the last connection was gone after ${endedMs.toFixed(0)} ms\n`,
  );
}

/** The first half of what a client says to begin with TLS. */
async function halfOfHello(): Promise<Buffer> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const said = new Promise<Buffer>((resolve) =>
    server.once("connection", (socket) => {
      socket.once("data", (bytes) => {
        resolve(bytes);
        socket.destroy();
      });
    }),
  );
  tls.connect({ port: (server.address() as net.AddressInfo).port, rejectUnauthorized: false }).on("error", () => {});
  const hello = await said;
  server.close();
  return hello.subarray(0, hello.length / 2);
}

describe("on the peer port", () => {
  test("silent connections of one address keep nobody out, however often they come", { timeout: 120_000 }, async () => {
    await using node = await new TestNode({ server: { handshakeMs: 4_000 } }).start();
    const { protocolPort: port } = node.peer;
    await serve(node);
    using flood = new Flood(port);
    const others = new Timed(() => serve(node));
    const half = await halfOfHello();
    let most = 0;
    for (const bytes of [Buffer.alloc(0), half, Buffer.alloc(0)]) {
      await flood.addEach(510, bytes, others.once, attackers.slice(0, 1));
      most = Math.max(most, node.network.inbound.protocol.handshake);
    }
    // The same address, too, gets in beside them.
    await serve(node, attackers[0]);
    await others.during(500);
    const endedMs = await untilNothing(node);
    report("510 silent connections, three times", others, endedMs);
    // Its own places, and the handshake of the other.
    expect(most).toBeGreaterThanOrEqual(64);
    expect(most).toBeLessThanOrEqual(66);
    expect(others.isAtOnce).toBe(true);
    expect(node.network.inbound.protocol).toEqual(nothing);
    await untilClosed(port);
  });

  test("silent connections of many addresses keep nobody out", { timeout: 60_000 }, async () => {
    await using node = await new TestNode({ server: { handshakeMs: 4_000 } }).start();
    await serve(node);
    using flood = new Flood(node.peer.protocolPort);
    const many = Array.from({ length: 16 }, (_, index) => `127.0.1.${index + 1}`);
    const others = new Timed(() => serve(node));
    await flood.addEach(40, Buffer.alloc(0), others.once, many);
    await others.during(500);
    report("silent connections of 16 addresses", others, await untilNothing(node));
    expect(others.isAtOnce).toBe(true);
  });

  test("peers that break the rules of HTTP/2 keep nobody out, and are gone within seconds", async () => {
    await using node = await new TestNode().start();
    const { protocolPort: port } = node.peer;
    await serve(node);
    const others = new Timed(() => serve(node));
    const sockets: tls.TLSSocket[] = [];
    for (const bytes of Object.values(brokenHttp2)) {
      for (let count = 0; count < 12; count += 1) {
        sockets.push(...(await Promise.all(attackers.map((address) => say(node, address, bytes)))));
        await others.once();
      }
      for (const socket of sockets.slice(-24)) socket.end();
    }
    await others.during(500);
    const endedMs = await untilNothing(node);
    report(`${sockets.length} broken connections`, others, endedMs);
    expect(others.isAtOnce).toBe(true);
    expect(endedMs).toBeLessThan(15_000);
    expect(node.network.inbound.protocol).toEqual(nothing);
    await untilClosed(port);
    for (const socket of sockets) socket.destroy();
  }, 120_000);

  test("peers that finish their handshake and say no more are gone soon, those that answer stay", async () => {
    const times = { ...usualTimes, lookMs: 50, checkMs: 200, answerMs: 400, doubtMs: 400, endMs: 200 };
    await using node = await new TestNode({ server: { times } }).start();
    const { id, host, protocolPort: port } = node.peer;
    const good = http2.connect(`https://${id}`, {
      createConnection: () =>
        tls.connect({
          ...{ host, port, servername: id, cert: identity.certificate, key: identity.privateKey },
          ALPNProtocols: ["h2"],
          rejectUnauthorized: false,
        }),
    });
    good.on("error", () => {});
    await new Promise((resolve) => good.once("connect", resolve));
    let pings = 0;
    good.on("ping", () => (pings += 1));
    const silent = await Promise.all(Object.values(silentHttp2).map((bytes) => say(node, attackers[0]!, bytes)));
    const closed = silent.map((socket) => new Promise((resolve) => socket.once("close", resolve)));
    await Promise.all(closed);
    while (pings < 20) await sleep(20);
    expect(node.network.inbound.protocol).toEqual({ ...nothing, idle: 1 });
    good.destroy();
    await untilNothing(node);
    await untilClosed(port);
  });
});

test("a peer that says GOAWAY and keeps the connection open loses it", async () => {
  const own = testIdentity();
  const server = tls.createServer({
    ...{ cert: own.certificate, key: own.privateKey, ALPNProtocols: ["h2"] },
    ...{ requestCert: true, rejectUnauthorized: false, allowHalfOpen: true },
  });
  const lost = new Promise<void>((resolve) => {
    server.on("secureConnection", (socket) => {
      socket.on("error", () => {});
      socket.resume();
      socket.write(Buffer.concat([http2Frame(4, 0, 0), http2Frame(7, 0, 0, new Uint8Array(8))]));
      const speaking = setInterval(() => socket.write(http2Frame(6, 0, 0, new Uint8Array(8))), 100);
      socket.once("close", () => {
        clearInterval(speaking);
        resolve();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as net.AddressInfo;
  await using node = await new TestNode().start();
  const peer = { id: own.id, host: "127.0.0.1", protocolPort: port, discoveryPort: port };
  await expect(node.network.send(peer, "HasBlock", Uint8Array.of(1))).rejects.toThrow();
  await lost;
  server.close();
});

test("on the discovery port, too, broken connections keep nobody out", async () => {
  await using node = await new TestNode().start();
  const { discoveryPort: port } = node.peer;
  using flood = new Flood(port);
  for (const bytes of Object.values(brokenHttp2)) await flood.addEach(20, bytes, async () => {});
  await using other = await new TestNode({ bootstrap: node.peer }).start();
  expect(other.network.knownPeers).toHaveLength(1);
  while (Object.values(node.network.inbound.discovery).some((count) => count > 0)) await sleep(20);
  await untilClosed(port, 1);
}, 60_000);
