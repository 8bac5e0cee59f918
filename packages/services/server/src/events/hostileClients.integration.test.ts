import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { readerLimits, slotLimits } from "@vedette/queries/events";
import { FakeEventChain, madeDeploy } from "@vedette/queries/eventsTesting";
import { until } from "@vedette/testing";
import { expect, test } from "vitest";
import { ServerSentClient, WebSocketClient } from "../testing/EventsClient.js";
import { EventsNode } from "../testing/EventsNode.js";
import { exchange, storm, upgradeHead } from "../testing/eventStorm.js";

const path = "/v2/events";

async function begun(made: FakeEventChain, options: Parameters<typeof EventsNode.start>[0] = {}): Promise<EventsNode> {
  const node = await EventsNode.start(options);
  await node.take([made.genesis]);
  return node;
}

test.each(["websocket", "server-sent events"])(
  "a reader at %s that does not read is sent away, and can go on",
  async (kind) => {
    const made = new FakeEventChain();
    await using node = await begun(made, { limits: { reader: { ...readerLimits, blockedEntries: 4 } } });
    const reader =
      kind === "websocket"
        ? await WebSocketClient.connect(node.port, path, { isPaused: true })
        : await pausedStream(node);
    await using steady = await WebSocketClient.connect(node.port, path);
    // More than sockets of the system keep by themselves.
    for (let blocks = 1; blocks <= 40; blocks += 1) {
      await node.take([made.nextLong()]);
      await steady.until((messages) => messages.length === 1 + blocks * 4);
    }
    for (let i = 0; i < 3; i += 1) await node.take([made.next([madeDeploy()])]);
    const all = await steady.until((messages) => messages.length === 1 + 40 * 4 + 3 * 4);
    await until("the reader to be sent away", () => node.events.served.hub.leaving === 1);
    const received = reader instanceof WebSocketClient ? await readRest(reader) : await readStream(reader);
    expect(received.at(-1)!.kind).toBe("behind");
    expect(received.length).toBeLessThan(all.length);
    const { cursor } = received.at(-1)!;
    await using again = await WebSocketClient.connect(node.port, `${path}?after=${cursor}`);
    const rest = await again.until((messages) => messages.length + received.length - 2 === all.length);
    expect([...received.slice(0, -1), ...rest.slice(1)].map((event) => event.cursor)).toEqual(
      all.map((event) => event.cursor),
    );
  },
);

interface SentEvent {
  readonly kind: string;
  readonly cursor: string;
}

/** Returns the received and later messages, until the connection ends. */
async function readRest(client: WebSocketClient): Promise<readonly SentEvent[]> {
  client.socket.resume();
  expect(await client.closed()).toBe(4008);
  return client.messages;
}

async function pausedStream({ port, events }: EventsNode): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.pause();
  socket.write(`GET ${path} HTTP/1.0\r\nHost: x\r\n\r\n`);
  await until("the stream to begin", () => events.connections === 1);
  return socket;
}

async function readStream(socket: Socket): Promise<SentEvent[]> {
  let text = "";
  socket.on("data", (chunk) => (text += chunk.toString()));
  const closed = once(socket, "close");
  socket.resume();
  await closed;
  const lines = text.split("\n").filter((line) => line.startsWith("data: "));
  return lines.map((line) => JSON.parse(line.slice("data: ".length)) as SentEvent);
}

test("frames that are too large, unmasked, or against the protocol end only their connection", async () => {
  const made = new FakeEventChain();
  await using node = await begun(made);
  await using honest = await WebSocketClient.connect(node.port, path);
  for (const route of [path, "/ws/events"]) {
    await using large = await WebSocketClient.connect(node.port, route);
    large.socket.send(Buffer.alloc(65_537));
    expect(await large.closed()).toBe(1009);
    await using many = await WebSocketClient.connect(node.port, route);
    for (let i = 0; i < 1_100; i += 1) many.socket.send("hello");
    expect(await many.closed()).toBe(1008);
    await using pinging = await WebSocketClient.connect(node.port, route);
    for (let i = 0; i < 1_100; i += 1) pinging.socket.ping();
    // The rest of the pings may overtake the close frame.
    expect([1006, 1008]).toContain(await pinging.closed());
    for (const frame of ["\x81\x05hello", "\x83\x80\0\0\0\0", "\xf1\x80\0\0\0\0", "\x89\xfe\x01\0", "garbage\r\n\r\n"])
      expect(await exchange(node.port, upgradeHead(route) + frame)).toContain("101 Switching Protocols");
  }
  await node.take(made.grow(1));
  await honest.until((messages) => messages.length === 5);
});

test("upgrades that are none are refused", async () => {
  await using node = await begun(new FakeEventChain());
  for (const route of [path, "/ws/events"]) {
    expect(await exchange(node.port, upgradeHead(route, "short"))).toMatch(/^HTTP\/1.1 400 /);
    const old = upgradeHead(route).replace("Version: 13", "Version: 7");
    expect(await exchange(node.port, old)).toMatch(/^HTTP\/1.1 (400|426) /);
    const post = upgradeHead(route).replace("GET", "POST").replace("\r\n\r\n", "\r\nContent-Length: 0\r\n\r\n");
    expect(await exchange(node.port, post, /not/i)).toMatch(/^HTTP\/1.1 404 /);
  }
});

test("a request that offers an upgrade where there is none is answered as if it did not, with its body", async () => {
  let bytesCome = () => 0;
  await using node = await begun(new FakeEventChain(), {
    register: (server) => {
      server.server.on("connection", (one: Socket) => (bytesCome = () => one.bytesRead));
      server.post("/echo", async (request, reply) => reply.send(`you said ${String(request.body)}`));
      server.get("/plain", async (_request, reply) => reply.send("plainly"));
    },
  });
  const h2c = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n";
  const post = `POST /echo HTTP/1.1\r\nHost: x\r\n${h2c}Content-Length: 11\r\n\r\nhello `;
  const socket = connect(node.port, "127.0.0.1");
  await once(socket, "connect");
  let text = "";
  socket.on("data", (chunk) => (text += chunk.toString()));
  const untilText = async (pattern: RegExp) => {
    while (!pattern.test(text)) await once(socket, "data");
  };
  socket.write(post);
  await until("the server to have read the head", () => bytesCome() === post.length);
  socket.write("world");
  await untilText(/you said hello world/);
  // The connection stays usable.
  socket.write(`GET /plain HTTP/1.1\r\nHost: x\r\n${h2c}\r\n`);
  await untilText(/plainly/);
  socket.write(`GET /plain HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
  await untilText(/plainly[\s\S]*plainly/);
  socket.write(`GET /ws/events HTTP/1.1\r\nHost: x\r\n${h2c}\r\n`);
  await untilText(/ 501 [\s\S]*This is a WebSocket route\./);
  socket.destroy();
});

test("a client that offers another protocol with each request takes no more for it", async () => {
  const sockets = new Set<Socket>();
  await using node = await begun(new FakeEventChain(), {
    register: (server) => {
      server.server.on("connection", (socket: Socket) => void sockets.add(socket));
      server.get("/plain", async (_request, reply) => reply.send("plainly"));
    },
  });
  const h2c = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n";
  const socket = connect(node.port, "127.0.0.1");
  let text = "";
  socket.on("data", (chunk) => (text += chunk.toString()));
  const ask = async () => {
    text = "";
    socket.write(`GET /plain HTTP/1.1\r\nHost: x\r\n${h2c}\r\n`);
    while (!text.includes("plainly")) await once(socket, "data");
  };
  const listeners = () => [...sockets].map((one) => one.eventNames().map((name) => one.listenerCount(name)));
  await ask();
  await ask();
  const before = listeners();
  for (let count = 0; count < 30; count += 1) await ask();
  expect([sockets.size, listeners()]).toEqual([1, before]);
  socket.destroy();
});

test("connections are limited, in all and for an address; those that end make room", async () => {
  const made = new FakeEventChain();
  await using node = await begun(made, { limits: { slots: { ...slotLimits, inAll: 3 } } });
  const three = await Promise.all([
    WebSocketClient.connect(node.port, path),
    WebSocketClient.connect(node.port, "/ws/events"),
    ServerSentClient.connect(node.port, path),
  ]);
  await expect(WebSocketClient.connect(node.port, path)).rejects.toThrow(/^503 .*many event connections/);
  await expect(WebSocketClient.connect(node.port, "/ws/events")).rejects.toThrow(/^503 /);
  const { response } = await ServerSentClient.connect(node.port, path);
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("30");
  const plain = await fetch(`http://127.0.0.1:${node.port}/ws/events`);
  expect([plain.status, await plain.text()]).toEqual([501, "This is a WebSocket route."]);
  for (const one of three) await one[Symbol.asyncDispose]();
  await node.take(made.grow(1));
  await until("room for another", async () => {
    await using again = await ServerSentClient.connect(node.port, path);
    return again.response.ok;
  });
});

test("a storm of connections of all kinds leaves the node answering, and nothing behind", async () => {
  const made = new FakeEventChain();
  await using node = await begun(made);
  await using honest = await WebSocketClient.connect(node.port, path);
  await storm(node.port, 40);
  await node.take(made.grow(3));
  await honest.until((messages) => messages.length === 1 + 12);
  await honest[Symbol.asyncDispose]();
  const state = () => `${node.events.connections} are left`;
  await until("all connections to end", () => node.events.connections === 0, { state });
});
