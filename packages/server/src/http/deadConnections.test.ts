import { request } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { insertBlocks, TestQueries } from "@vedette/queries/testing";
import { attackers, bystander, Flood, Timed, untilClosed } from "@vedette/testing";
import type { FastifyInstance } from "fastify";
import { afterEach, expect, test } from "vitest";
import { defaultHttpLimits, type HttpLimits } from "./HttpLimits.js";
import { createHttpServer } from "./server.js";

const node = TestQueries.empty();
insertBlocks(node.chain);
const nothing = { idle: 0, busy: 0, dying: 0 };
const started: FastifyInstance[] = [];

/** A server that four addresses could fill. */
async function start(limits: Partial<HttpLimits> = {}): Promise<{ server: FastifyInstance; port: number }> {
  const server = createHttpServer(
    { queries: node.queries(), metrics: async () => "", isReporting: true },
    {
      limits: {
        ...defaultHttpLimits,
        ...{ limitsOwnMachine: true, burst: 1_000_000, requestsPerSecond: 1_000_000 },
        ...{ connections: 512, connectionsPerAddress: 128 },
        ...limits,
      },
    },
  );
  started.push(server);
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as AddressInfo;
  await serve(port);
  return { server, port };
}

afterEach(async () => {
  for (const server of started.splice(0)) await server.close();
});

/** Asks over a connection of its own. @throws Error when it is not served */
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

async function untilNothing(server: FastifyInstance): Promise<number> {
  const beganMs = performance.now();
  while (Object.values(server.connectionCounts()).some((count) => count > 0)) await sleep(20);
  return performance.now() - beganMs;
}

const head = "POST /api/explore-deploy HTTP/1.1\r\nHost: x\r\n";

test("connections that ask nothing, or half of something, keep nobody out", { timeout: 120_000 }, async () => {
  const { server, port } = await start({ headTimeoutMs: 3_000, requestTimeoutMs: 4_000, idleTimeoutMs: 4_000 });
  using flood = new Flood(port);
  const others = new Timed(() => serve(port));
  const said = [
    "",
    head,
    "GET /status HTTP/1.1\r\nHost: x\r\n\r\n",
    "\x16\x03\x01\x02\x00\x01\x00",
    `${head}Content-Length: 100\r\n\r\nNil`,
    `${head}Transfer-Encoding: chunked\r\n\r\n5\r\nNil`,
    "GET /v2/events HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n",
  ];
  let most = 0;
  for (const text of said) {
    const sockets: Socket[] = await flood.addEach(128, text, others.once);
    const { idle, busy } = server.connectionCounts();
    most = Math.max(most, idle + busy);
    for (const socket of sockets.slice(0, 200)) socket.end();
  }
  const dripping = await flood.addEach(1, head, others.once);
  const drip = setInterval(() => {
    for (const socket of dripping) if (!socket.destroyed) socket.write("x");
  }, 50);
  await others.during(1_000);
  const endedMs = await untilNothing(server);
  clearInterval(drip);
  console.log(
    `another address was served ${others.text}; ` +
      `at most ${most} connections at once, the last was gone after ${endedMs.toFixed(0)} ms`,
  );
  expect(most).toBeGreaterThan(400);
  expect(others.isAtOnce).toBe(true);
  expect(server.connectionCounts()).toEqual(nothing);
  await untilClosed(port);
});

test("four addresses with requests under way leave places to another one", { timeout: 60_000 }, async () => {
  const { server, port } = await start();
  using flood = new Flood(port);
  const others = new Timed(() => serve(port));
  await flood.addEach(128, `${head}Content-Length: 100\r\n\r\nNil`, others.once);
  while (server.connectionCounts().busy < 448) await sleep(10);
  // 64 of 512 places are not for those who have many; all these addresses are this machine's own.
  expect(server.connectionCounts().busy).toBe(448);
  await others.during(500);
  console.log(`another address was served ${others.text}`);
  expect(others.isAtOnce).toBe(true);
  await expect(serve(port, attackers[0])).rejects.toThrow();
});
