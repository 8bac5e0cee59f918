import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import { attackers, bystander, Flood, until } from "@vedette/testing";
import type { FastifyInstance } from "fastify";
import { afterEach, expect, test } from "vitest";
import { bareServer } from "./bareServer.js";
import { rnodeHttpConventions } from "./conventions/rnodeHttpConventions.js";
import { defaultHttpLimits } from "./HttpLimits.js";
import { readBody } from "./readBody.js";
import { readInTurns } from "./readInTurns.js";

const bodyBytes = 100_000;
/** More than the buffers of the system take. */
const largeBytes = 32 << 20;
const started: FastifyInstance[] = [];

async function start(): Promise<{ server: FastifyInstance; port: number }> {
  const limits = { ...defaultHttpLimits, limitsOwnMachine: true, bodyBytes };
  const server = bareServer("public", rnodeHttpConventions, { limits });
  server.post("/length", async ({ body }) => ({ length: String(body).length }));
  started.push(server);
  await server.listen({ host: "127.0.0.1", port: 0 });
  return { server, port: (server.server.address() as { port: number }).port };
}

afterEach(async () => {
  for (const server of started.splice(0)) await server.close();
});

const head = "POST /length HTTP/1.1\r\nhost: x\r\n";

/** Sends a whole request and reads all that comes. */
function send(port: number, text: string, localAddress = bystander): Promise<string> {
  return new Promise((resolve) => {
    const socket: Socket = connect({ host: "127.0.0.1", port, localAddress });
    let answer = "";
    socket.setEncoding("latin1").on("data", (piece: string) => {
      answer += piece;
    });
    socket.on("error", () => undefined);
    socket.once("close", () => resolve(answer));
    socket.write(text, "latin1");
  });
}

const whole = (body: string) => `${head}connection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

test("bodies that never come whole have a bound together, and who has most of them makes room for others", async () => {
  const { server, port } = await start();
  using flood = new Flood(port);
  const unfinished = `${head}content-length: ${bodyBytes}\r\n\r\n${"x".repeat(bodyBytes - 1)}`;
  for (let round = 0; round < 5; round += 1) {
    await flood.addEach(4, unfinished, async () => {
      expect(await send(port, whole("y".repeat(bodyBytes / 4)))).toContain(`{"length":${bodyBytes / 4}}`);
      expect(server.heldBodyBytes()).toBeLessThanOrEqual(4 * bodyBytes);
    });
  }
  const isFull = () => server.heldBodyBytes() >= 3 * bodyBytes;
  await until("the bodies to fill the room", isFull, { state: () => String(server.heldBodyBytes()) });
  expect(flood.open).toBeLessThan(attackers.length * 20);
  flood[Symbol.dispose]();
  await until("all to be given back", () => server.heldBodyBytes() === 0);
});

test("what a request announces costs nothing before it comes", async () => {
  const { server, port } = await start();
  using flood = new Flood(port);
  await flood.addEach(10, `${head}content-length: ${bodyBytes}\r\n\r\nx`, async () => {});
  await until("the requests to be read", () => server.heldBodyBytes() > 0);
  expect(server.heldBodyBytes()).toBeLessThanOrEqual(40 * 4_096);
});

test("a body of many small parts is refused", async () => {
  const { port } = await start();
  const chunked = (part: string, times: number) =>
    `${head}connection: close\r\ntransfer-encoding: chunked\r\n\r\n${part.repeat(times)}0\r\n\r\n`;
  expect(await send(port, chunked("1\r\nx\r\n", 1_000))).toContain('{"length":1000}');
  expect(await send(port, chunked("1\r\nx\r\n", 2_000))).toContain("413");
  expect(await send(port, chunked(`100\r\n${"x".repeat(256)}\r\n`, 390))).toContain('{"length":99840}');
});

const refusedBodies: readonly [string, number, { maxBytes: number; isAnnounced: boolean; hasRoom: boolean }][] = [
  ["that is announced as too long", 413, { maxBytes: 1_000, isAnnounced: true, hasRoom: true }],
  ["that becomes too long", 413, { maxBytes: 1_000, isAnnounced: false, hasRoom: true }],
  ["for which there is no room", 503, { maxBytes: largeBytes, isAnnounced: true, hasRoom: false }],
  ["without a length, for which there is no room", 503, { maxBytes: largeBytes, isAnnounced: false, hasRoom: false }],
];

test.each(refusedBodies)(
  "a body %s is refused, its rest is not read, and its client reads why",
  async (_, status, body) => {
    const { maxBytes, isAnnounced, hasRoom } = body;
    const sockets: Socket[] = [];
    const server = createServer((request, response) => {
      const announcedBytes = isAnnounced ? largeBytes : undefined;
      readBody(request, { maxBytes, announcedBytes, hold: () => hasRoom }).catch((error) => {
        response.writeHead(error.status ?? error.statusCode).end("why");
      });
    });
    readInTurns(server, ({ remoteAddress }) => remoteAddress);
    server.on("connection", (socket) => void sockets.push(socket));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const text = "x".repeat(largeBytes);
    const asked = isAnnounced
      ? `content-length: ${largeBytes}\r\n\r\n${text}`
      : `transfer-encoding: chunked\r\n\r\n${largeBytes.toString(16)}\r\n${text}`;
    const answer = await send(port, `${head}${asked}`);
    expect(answer).toContain(`HTTP/1.1 ${status}`);
    expect(answer).toContain("why");
    expect(sockets[0]!.bytesRead).toBeLessThan(largeBytes / 8);
    server.close();
  },
);

test("a body that is too long, or of another length than announced, is refused; the room of whole ones is given back", async () => {
  const { server, port } = await start();
  expect(await send(port, whole("x".repeat(bodyBytes)))).toContain(`{"length":${bodyBytes}}`);
  expect(await send(port, whole("x".repeat(bodyBytes + 1)))).toContain("413");
  expect(server.heldBodyBytes()).toBe(0);
  const short = new PassThrough();
  const read = readBody(short, { maxBytes: 10, announcedBytes: 3, hold: () => true });
  short.end("xx");
  await expect(read).rejects.toThrow(/Content-Length/);
});
