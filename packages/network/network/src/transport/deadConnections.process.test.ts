import http2 from "node:http2";
import net from "node:net";
import { setImmediate } from "node:timers/promises";
import tls from "node:tls";
import {
  attackers,
  brokenHttp2,
  bystander,
  Flood,
  http2Frame,
  silentHttp2,
  until,
  untilClosed,
} from "@vedette/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { callGrpc } from "../grpc/callGrpc.js";
import { testIdentity } from "../testing/testIdentity.js";
import { TestNode } from "../testing/testNetwork.js";
import { decodeAnswer, encodeRequest } from "./peerMessage.js";

const identity = testIdentity();

// The servers' time passes when a test advances it: the speed of bytes depends on the machine.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

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
  const call = {
    path,
    scheme: "https",
    authority: id,
    messages,
    deadlineMs: 3_600_000,
    maxAnswerBytes: 10_000,
  } as const;
  const answer = decodeAnswer(await callGrpc(session, call));
  session.destroy();
  if (answer.type !== "ack") throw new Error(`the answer is ${answer.type}`);
}

/** Opens a connection as a peer does, up to the first byte of HTTP/2, and sends bytes. */
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

const nothing = { handshake: 0, idle: 0, busy: 0, terminating: 0 };

type Side = "protocol" | "discovery";

const stateOf = (node: TestNode, side: Side) => () => JSON.stringify(node.network.inbound[side]);

/** Lets time pass until a node has no connections from others. @returns how much of its time, in milliseconds */
async function passUntilNothing(node: TestNode, side: Side = "protocol"): Promise<number> {
  let passedMs = 0;
  const isDone = async () => {
    if (Object.values(node.network.inbound[side]).every((count) => count === 0)) return true;
    vi.advanceTimersByTime(1_000);
    passedMs += 1_000;
    // The servers' reaction takes some turns of the event loop.
    for (let turns = 0; turns < 10; turns += 1) await setImmediate();
    return false;
  };
  await until("the node to have no connection", isDone, { state: stateOf(node, side) });
  expect(node.network.inbound[side]).toEqual(nothing);
  return passedMs;
}

/** The first half of a client's first TLS message. */
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
  test("silent connections of one address keep no peer out, however often they come", async () => {
    await using node = await new TestNode({ server: { handshakeMs: 10_000 } }).start();
    const { protocolPort: port } = node.peer;
    using flood = new Flood(port);
    const half = await halfOfHello();
    let most = 0;
    for (const bytes of [Buffer.alloc(0), half, Buffer.alloc(0)]) {
      await flood.addEach(510, bytes, () => serve(node), attackers.slice(0, 1));
      most = Math.max(most, node.network.inbound.protocol.handshake);
    }
    // The same address, too, gets in beside them.
    await serve(node, attackers[0]);
    await serve(node);
    // Its own places, and the handshake of the other.
    expect(most).toBeGreaterThanOrEqual(64);
    expect(most).toBeLessThanOrEqual(66);
    await passUntilNothing(node);
    await untilClosed(port);
  });

  test("silent connections of many addresses keep no peer out", async () => {
    await using node = await new TestNode({ server: { handshakeMs: 10_000 } }).start();
    using flood = new Flood(node.peer.protocolPort);
    const many = Array.from({ length: 16 }, (_, index) => `127.0.1.${index + 1}`);
    await flood.addEach(40, Buffer.alloc(0), () => serve(node), many);
    await serve(node);
    await passUntilNothing(node);
  });

  test("peers that break the rules of HTTP/2 keep no other peer out, and end when they do not answer", async () => {
    await using node = await new TestNode().start();
    const { protocolPort: port } = node.peer;
    const sockets: tls.TLSSocket[] = [];
    for (const bytes of Object.values(brokenHttp2)) {
      for (let count = 0; count < 12; count += 1) {
        sockets.push(...(await Promise.all(attackers.map((address) => say(node, address, bytes)))));
        await serve(node);
      }
      for (const socket of sockets.slice(-24)) socket.end();
    }
    await serve(node);
    // Doubt, an answer that does not come, and the end of the socket.
    expect(await passUntilNothing(node)).toBeLessThanOrEqual(15_000);
    await untilClosed(port);
    for (const socket of sockets) socket.destroy();
  });

  test("peers that finish their handshake and send no more are gone soon, those that answer stay", async () => {
    await using node = await new TestNode().start();
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
    let left = silent.length;
    for (const socket of silent) socket.once("close", () => (left -= 1));
    const isDone = async () => {
      vi.advanceTimersByTime(1_000);
      // When the second of the client's own questions is answered, the node has read the answer to its question.
      for (let times = 0; times < 2; times += 1) await answered(good);
      return left === 0 && pings >= 10;
    };
    await until("the silent ones to be gone", isDone, { state: () => `${left} left, ${pings} pings` });
    expect(node.network.inbound.protocol).toEqual({ ...nothing, idle: 1 });
    good.destroy();
    await passUntilNothing(node);
    await untilClosed(port);
  });
});

/** Sends a server a check. */
function answered(session: http2.ClientHttp2Session): Promise<void> {
  return new Promise((resolve, reject) => {
    session.ping((error) => (error === null ? resolve() : reject(error)));
  });
}

test("a peer that sends GOAWAY and keeps the connection open loses it", async () => {
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
  let isLost = false;
  void lost.then(() => (isLost = true));
  const isDone = () => {
    vi.advanceTimersByTime(1_000);
    return isLost;
  };
  await until("the connection to be ended", isDone);
  server.close();
});

test("on the discovery port, too, broken connections keep no peer out", async () => {
  await using node = await new TestNode().start();
  const { discoveryPort: port } = node.peer;
  using flood = new Flood(port);
  for (const bytes of Object.values(brokenHttp2)) await flood.addEach(20, bytes, async () => {});
  await using other = await new TestNode({ bootstrap: node.peer }).start();
  expect(other.network.knownPeers).toHaveLength(1);
  await passUntilNothing(node, "discovery");
  await untilClosed(port, 1);
});
