import type { AddressInfo, Socket } from "node:net";
import { insertBlocks, TestQueries } from "@vedette/queries/testing";
import { until } from "@vedette/testing";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Asked, agent, askAt, closing, exchangeAt, socketAt } from "../testing/rawHttp.js";
import { defaultHttpLimits } from "./HttpLimits.js";
import { createHttpServer } from "./server.js";

const full = TestQueries.empty();
insertBlocks(full.chain);
const reads = { queries: full.queries(), metrics: async () => "", isReporting: true };
const impatient = { ...defaultHttpLimits, headTimeoutMs: 100, requestTimeoutMs: 200, idleTimeoutMs: 300 };
const small = { ...defaultHttpLimits, connections: 16 };
const strict = {
  ...defaultHttpLimits,
  limitsOwnMachine: true,
  burst: 3,
  requestsPerSecond: 0.01,
  connectionsPerAddress: 8,
};
const servers: Record<"full" | "impatient" | "small" | "strict", FastifyInstance> = {
  full: createHttpServer(reads),
  impatient: createHttpServer(reads, { limits: impatient }),
  small: createHttpServer(reads, { limits: small }),
  strict: createHttpServer(reads, { limits: strict }),
};

beforeAll(async () => {
  for (const server of Object.values(servers)) await server.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  for (const server of Object.values(servers)) await server.close();
  agent.destroy();
});

const portOf = (server: keyof typeof servers) => (servers[server].server.address() as AddressInfo).port;
const exchange = (server: keyof typeof servers, text: string, how = {}) => exchangeAt(portOf(server), text, how);
const ask = (path: string, { server = "full", ...asked }: Asked & { readonly server?: keyof typeof servers } = {}) =>
  askAt(portOf(server), path, asked);

const opened = (server: keyof typeof servers) => socketAt(portOf(server));

describe("requests that are none", () => {
  test("are refused by their size", async () => {
    const tooLong = `/api/block/${"a".repeat(4_200)}`;
    expect((await ask(tooLong)).status).toBe(414);
    const header = `x: ${"y".repeat(41_000)}\r\n`;
    expect(await exchange("full", `GET /status HTTP/1.1\r\n${header}${closing}`)).toMatch(/^HTTP\/1.1 431/);
    const length = "content-length: 99999999999\r\n";
    expect(await exchange("full", `POST /api/deploy HTTP/1.1\r\n${length}${closing}`)).toMatch(/^HTTP\/1.1 413/);
  });

  test("are refused by their form", async () => {
    for (const text of [
      "\r\n\r\nhello\r\n\r\n",
      "\x16\x03\x01\x02\x00\x01\x00",
      `GET /status HTTP/9.9\r\n${closing}`,
      "GET\r\n\r\n",
    ])
      expect(await exchange("full", text)).toMatch(/^(HTTP\/1.1 4\d\d|$)/);
    const both = "content-length: 5\r\ntransfer-encoding: chunked\r\n";
    expect(await exchange("full", `POST /api/deploy HTTP/1.1\r\n${both}${closing}0\r\n\r\n`)).toMatch(/^HTTP\/1.1 400/);
  });

  test("that end half way are answered when they are whole, and dropped when they are not", async () => {
    const whole = await exchange("full", `GET /version HTTP/1.1\r\n${closing}`, { half: true });
    expect(whole).toMatch(/^HTTP\/1.1 200/);
    const part = "POST /api/deploy HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{";
    expect(await exchange("full", part, { half: true })).toMatch(/^(HTTP\/1.1 400|$)/);
    expect(await exchange("full", "GET /st", { half: true })).toMatch(/^(HTTP\/1.1 400|$)/);
  });

  test("that come too slowly are ended", async () => {
    const slowHead = exchange("impatient", "GET /status HTTP/1.1\r\nx: ");
    const slowBody = exchange(
      "impatient",
      "POST /api/explore-deploy HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nNil",
    );
    const idle = exchange("impatient", "");
    expect(await slowHead).toMatch(/^(HTTP\/1.1 408|$)/);
    expect(await slowBody).toMatch(/^(HTTP\/1.1 408|$)/);
    expect(await idle).toMatch(/^(HTTP\/1.1 408|$)/);
    // A client that is quick enough is served, on a busy machine at the second or third time.
    const isServed = () =>
      ask("/version", { server: "impatient" }).then(
        ({ status }) => status === 200,
        () => false,
      );
    await until("a quick client to be served", isServed);
  });
});

describe("sockets without a request", () => {
  test("do not keep other clients out, and stay open only up to their limit", async () => {
    const held: Socket[] = [];
    const closed: Promise<unknown>[] = [];
    for (let count = 0; count < 100; count++) {
      const socket = await opened("small");
      socket.on("error", () => undefined).resume();
      held.push(socket);
      closed.push(new Promise((resolve) => socket.once("close", resolve)));
      if (count % 10 === 0) expect((await ask("/version", { server: "small" })).status).toBe(200);
    }
    // All but those that the server holds at most.
    await Promise.all(closed.slice(0, 100 - 16));
    expect((await ask("/version", { server: "small" })).status).toBe(200);
    for (const socket of held) socket.destroy();
  });
});

describe("a client that asks too much", () => {
  test("is answered how long to wait, in the form of the route", async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 3; count++) statuses.push((await ask("/version", { server: "strict" })).status);
    expect(statuses).toEqual([200, 200, 200]);
    const refused = await ask("/api/status", { server: "strict" });
    expect([refused.status, JSON.parse(refused.text)]).toEqual([429, expect.stringMatching(/^Too many requests/)]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(50);
    const versioned = await ask("/api/v1/status", { server: "strict" });
    expect([versioned.status, JSON.parse(versioned.text)]).toEqual([
      429,
      [expect.stringMatching(/^Too many requests/)],
    ]);
    const ours = await ask("/v2/nothing", { server: "strict" });
    expect([ours.status, JSON.parse(ours.text).title]).toEqual([429, "Too Many Requests"]);
    expect(ours.headers.get("content-type")).toBe("application/problem+json");
  });

  test("opens no more sockets than allowed: the one idle for longest gives way", async () => {
    const sockets = await Promise.all(Array.from({ length: 8 }, () => opened("strict")));
    const gone = sockets.map((socket) => new Promise((resolve) => socket.once("close", () => resolve(socket))));
    expect(await exchange("strict", `GET /version HTTP/1.1\r\n${closing}`)).toMatch(/^HTTP\/1.1 429/);
    const first = await Promise.race(gone);
    expect(sockets.filter((socket) => socket !== first && socket.destroyed)).toEqual([]);
    for (const socket of sockets) socket.destroy();
  });
});
