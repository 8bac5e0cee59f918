import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { insertBlocks, TestQueries } from "@vedette/queries/testing";
import { attackers, bystander, Flood, until, untilClosed } from "@vedette/testing";
import type { FastifyInstance } from "fastify";
import { afterEach, expect, test } from "vitest";
import { defaultHttpLimits, type HttpLimits } from "./HttpLimits.js";
import { createHttpServer } from "./server.js";

const node = TestQueries.empty();
insertBlocks(node.chain);
const nothing = { idle: 0, busy: 0, terminating: 0 };
const started: FastifyInstance[] = [];
const everMs = 3_600_000;

/** A server that four addresses could fill: 16 of its places are reserved for addresses with few connections. */
async function start(limits: Partial<HttpLimits> = {}): Promise<{ server: FastifyInstance; port: number }> {
  const server = createHttpServer(
    { queries: node.queries(), metrics: async () => "", isReporting: true },
    {
      limits: {
        ...defaultHttpLimits,
        ...{ limitsOwnMachine: true, burst: 1_000_000, requestsPerSecond: 1_000_000 },
        ...{ connections: 128, connectionsPerAddress: 32 },
        ...{ headTimeoutMs: everMs, requestTimeoutMs: everMs, idleTimeoutMs: everMs },
        ...limits,
      },
    },
  );
  started.push(server);
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as AddressInfo;
  return { server, port };
}

afterEach(async () => {
  for (const server of started.splice(0)) await server.close();
});

/** Sends a request over a new connection. @throws Error when it is not served */
function serve(port: number, localAddress = bystander): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, path: "/status", localAddress, agent: false }, (response) => {
      response.resume();
      response.once("end", () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`status ${response.statusCode}`)),
      );
    });
    asked.once("error", reject);
    asked.end();
  });
}

const countOf = (server: FastifyInstance): number =>
  Object.values(server.connectionCounts()).reduce((sum, count) => sum + count, 0);

const stateOf = (server: FastifyInstance) => () => JSON.stringify(server.connectionCounts());

async function untilNothing(server: FastifyInstance): Promise<void> {
  await until("the server to have no connection", () => countOf(server) === 0, { state: stateOf(server) });
  expect(server.connectionCounts()).toEqual(nothing);
}

const head = "POST /api/explore-deploy HTTP/1.1\r\nHost: x\r\n";
const whole = "GET /status HTTP/1.1\r\nHost: x\r\n\r\n";
const halves = [
  head,
  "\x16\x03\x01\x02\x00\x01\x00",
  `${head}Content-Length: 100\r\n\r\nNil`,
  `${head}Transfer-Encoding: chunked\r\n\r\n5\r\nNil`,
  "GET /v2/events HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n",
];

test("connections without a whole request do not keep other clients out", async () => {
  const { server, port } = await start();
  using flood = new Flood(port);
  for (const text of ["", whole, ...halves]) {
    const sockets = await flood.addEach(32, text, () => serve(port));
    for (const socket of sockets.slice(0, 50)) socket.end();
  }
  await serve(port);
  expect(countOf(server)).toBeGreaterThan(60);
  expect(flood.open).toBeGreaterThan(60);
  flood[Symbol.dispose]();
  await untilNothing(server);
  await untilClosed(port);
});

test("connections that say half of something end when the time for the whole is over", async () => {
  const { server, port } = await start({ headTimeoutMs: 100, requestTimeoutMs: 100 });
  using flood = new Flood(port);
  for (const text of ["", ...halves]) await flood.addEach(2, text, async () => {});
  // Bytes that come one by one are no reason to wait longer.
  const dripping = await flood.addEach(1, head, async () => {});
  const drip = setInterval(() => {
    for (const socket of dripping) if (!socket.destroyed) socket.write("x");
  }, 10);
  await untilNothing(server);
  clearInterval(drip);
  await untilClosed(port);
});

test("connections on which nothing moves end when they may be idle no longer", async () => {
  const { server, port } = await start({ idleTimeoutMs: 100 });
  using flood = new Flood(port);
  for (const text of ["", whole, ...halves]) await flood.addEach(2, text, async () => {});
  await untilNothing(server);
  await untilClosed(port);
});

test("four addresses with requests under way leave places to another one", async () => {
  const { server, port } = await start();
  using flood = new Flood(port);
  await flood.addEach(32, `${head}Content-Length: 100\r\n\r\nNil`, () => serve(port));
  // 128 places without the 16; all these addresses are this machine's own.
  const isFull = () => server.connectionCounts().busy === 112;
  await until("their requests to fill the places", isFull, { state: stateOf(server) });
  for (let calls = 0; calls < 5; calls += 1) await serve(port);
  await expect(serve(port, attackers[0])).rejects.toThrow();
  expect(server.connectionCounts().busy).toBe(112);
});
