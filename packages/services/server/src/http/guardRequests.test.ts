import { once } from "node:events";
import { request as ask } from "node:http";
import type { AddressInfo } from "node:net";
import { testKey } from "@vedette/chain/testing";
import type { IndexQueries } from "@vedette/indexer";
import { TestQueries } from "@vedette/queries/testing";
import type { FastifyInstance } from "fastify";
import { afterAll, describe, expect, test } from "vitest";
import { createAdminServer } from "./adminServer.js";
import { createIndexServer } from "./indexServer.js";
import { createHttpServer } from "./server.js";

const node = TestQueries.empty();
node.proposeAnswer = { kind: "created", blockHash: new Uint8Array(32).fill(1) };
const queries = node.queries({ publicKey: testKey("v1").publicKey });
let asked = 0;
/** An index that counts what reaches it. */
const index = {
  sql: async () => {
    asked += 1;
    return { kind: "answered", columns: [], body: "[]", isCut: false };
  },
  graphql: async () => {
    asked += 1;
    return { json: `{"data":{}}`, isRefused: false, operation: "query" };
  },
} as unknown as IndexQueries;
const feed = { about: () => ({}) } as never;
const allowed = { hosts: ["node.example", "observer"], pages: [{ origins: new Set(["https://app.example"]) }] };
const servers = {
  admin: createAdminServer(queries, {}, { queries: index, feed }),
  index: createIndexServer(index),
  named: createIndexServer(index, allowed),
  open: createHttpServer({ queries, metrics: async () => "" }),
  closed: createHttpServer({ queries, metrics: async () => "" }, { hosts: ["node.example"] }),
};
afterAll(() => Promise.all(Object.values(servers).map((server) => server.close())));

const local = "127.0.0.1:40405";
const json = { "content-type": "application/json" };
const body = JSON.stringify({ query: "select 1" });

type Sent = Readonly<Record<string, string>>;

/** The headers that a page makes a browser send; over plain HTTP to a name, browsers send nothing about the page. */
const ofPages: readonly (readonly [what: string, headers: Sent])[] = [
  ["a page anywhere", { host: local, "sec-fetch-site": "cross-site", origin: "http://a.example" }],
  ["an image of a page anywhere", { host: local, "sec-fetch-site": "cross-site" }],
  [
    "an image of a page at an address that browsers do not trust",
    { host: "0.0.0.0:40405", referer: "http://a.example/" },
  ],
  ["a page on another port of this machine", { host: local, "sec-fetch-site": "same-site" }],
  ["a page in an old browser", { host: local, origin: "http://a.example" }],
  ["a page with an opaque origin", { host: local, origin: "null" }],
  ["a page whose name became this machine's", { host: "a.example:40405", "sec-fetch-site": "same-origin" }],
  ["the same in an old browser", { host: "a.example:40405", origin: "http://a.example:40405" }],
  ["the same where the browser sends nothing about it", { host: "a.example:40405" }],
  ["a name without a dot that another party owns", { host: "ai:40405" }],
  ["a name that only begins as this machine's", { host: "localhost.a.example" }],
  ["a name that only looks like an address", { host: "127.0.0.1.a.example:40405" }],
  ["what is no name", { host: "127.0.0.1@a.example" }],
];
const ofPrograms: readonly (readonly [what: string, headers: Sent])[] = [
  ["a program", { host: local }],
  ["a program that has the name of this machine", { host: "LOCALHOST:40405" }],
  ["the same with the dot at its end", { host: "localhost.:40405" }],
  ["a program that knows the address alone", { host: "203.0.113.7:40405" }],
  ["a program on IPv6", { host: "[::1]:40405" }],
  ["a user who types the address", { host: local, "sec-fetch-site": "none" }],
  ["a page of this port", { host: local, referer: `http://${local}/graphql`, "sec-fetch-site": "same-origin" }],
  ["a page of this port by its address", { host: "[::1]:40405", origin: "http://[::1]:40405" }],
];

const statusOf = async (server: FastifyInstance, method: "GET" | "POST" | "OPTIONS", url: string, headers: Sent) =>
  (await server.inject({ method, url, headers, ...(method === "POST" && { payload: body }) })).statusCode;

describe("a server that is the operator's own", () => {
  test.each(ofPages)("does nothing for %s", async (_what, headers) => {
    const before = asked;
    const sent = { ...headers, ...json };
    const { admin, index: tables } = servers;
    const answers = await Promise.all([
      statusOf(admin, "POST", "/api/propose", sent),
      statusOf(admin, "GET", "/api/v1/status", headers),
      statusOf(admin, "POST", "/v2/sql", sent),
      statusOf(admin, "OPTIONS", "/v2/sql", { ...headers, "access-control-request-method": "POST" }),
      statusOf(admin, "GET", "/nothing", headers),
      statusOf(tables, "POST", "/v2/sql", sent),
      statusOf(tables, "POST", "/graphql", sent),
      statusOf(tables, "GET", "/graphql?query={a}", headers),
      statusOf(tables, "OPTIONS", "/graphql", { ...headers, "access-control-request-method": "POST" }),
    ]);
    expect([...new Set(answers), asked]).toEqual([403, before]);
  });

  test.each(ofPrograms)("answers %s", async (_what, headers) => {
    const sent = { ...headers, ...json };
    const answers = [
      await statusOf(servers.admin, "POST", "/v2/sql", sent),
      await statusOf(servers.index, "POST", "/v2/sql", sent),
      await statusOf(servers.index, "POST", "/graphql", sent),
      await statusOf(servers.admin, "GET", "/api/v1/status", headers),
    ];
    expect(answers).toEqual([200, 200, 200, 200]);
  });

  test("sends no page permission to read it", async () => {
    const headers = { host: local, origin: "http://a.example", ...json };
    const answer = await servers.index.inject({ method: "POST", url: "/v2/sql", headers, payload: body });
    expect([answer.statusCode, answer.headers["access-control-allow-origin"]]).toEqual([403, undefined]);
  });

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=a",
    "application/json-patch",
    "text/plain; application/json",
    undefined,
  ])("takes JSON as JSON alone, not as %s", async (type) => {
    const before = asked;
    const headers: Sent = { host: local, ...(type !== undefined && { "content-type": type }) };
    const answers = await Promise.all([
      statusOf(servers.admin, "POST", "/v2/sql", headers),
      statusOf(servers.admin, "POST", "/v2/feed", headers),
      statusOf(servers.admin, "POST", "/api/propose", headers),
      statusOf(servers.admin, "POST", "/api/v1/deploy", headers),
      statusOf(servers.index, "POST", "/v2/sql", headers),
      statusOf(servers.index, "POST", "/graphql", headers),
    ]);
    expect([...new Set(answers), asked]).toEqual([415, before]);
  });

  test("takes JSON with its parameters, and nothing at all where nothing is asked for", async () => {
    const headers = { host: local, "content-type": "Application/JSON; charset=utf-8" };
    expect(await statusOf(servers.admin, "POST", "/v2/sql", headers)).toBe(200);
    const proposed = await servers.admin.inject({ method: "POST", url: "/api/propose", headers: { host: local } });
    expect(proposed.statusCode).toBe(200);
  });

  test("lets in the names and the pages that its operator has listed", async () => {
    const { named } = servers;
    const page = { origin: "https://app.example", "sec-fetch-site": "cross-site" };
    expect(await statusOf(named, "POST", "/v2/sql", { host: "node.example:40405", ...json })).toBe(200);
    expect(await statusOf(named, "POST", "/v2/sql", { host: "OBSERVER", ...json })).toBe(200);
    expect(await statusOf(named, "POST", "/v2/sql", { host: "other.example", ...json })).toBe(403);
    const answer = await named.inject({
      ...{ method: "POST", url: "/v2/sql", payload: body },
      headers: { host: local, ...page, ...json },
    });
    expect([answer.statusCode, answer.headers["access-control-allow-origin"]]).toEqual([200, page.origin]);
    expect(await statusOf(named, "POST", "/v2/sql", { host: "a.example", ...page, ...json })).toBe(403);
    const asks = { ...page, "access-control-request-method": "POST", "access-control-request-headers": "content-type" };
    const preflight = await named.inject({ method: "OPTIONS", url: "/v2/sql", headers: { host: local, ...asks } });
    expect([preflight.statusCode, preflight.headers["access-control-allow-headers"]]).toEqual([204, "content-type"]);
    const other = { ...asks, host: local, origin: "https://app.example.a.example" };
    expect(await statusOf(named, "OPTIONS", "/v2/sql", other)).toBe(403);
  });

  test("changes nothing by a GET or a HEAD, which any page can send", async () => {
    for (const url of ["/api/propose", "/api/v1/propose"])
      for (const method of ["GET", "HEAD"] as const) {
        const { statusCode, body: text } = await servers.admin.inject({ method, url, headers: { host: local } });
        expect([url, statusCode]).toEqual([url, url === "/api/propose" ? 404 : 405]);
        expect(text).not.toContain("Success");
      }
  });
});

describe("a public server", () => {
  test("answers pages of any origin, by any name", async () => {
    for (const [, headers] of ofPages) expect(await statusOf(servers.open, "GET", "/api/status", headers)).toBe(200);
  });

  test("answers to its names alone, where its operator has listed them", async () => {
    const { closed } = servers;
    for (const host of ["node.example", "node.example:443", "127.0.0.1:40403", "localhost:40403", "[::1]"])
      expect([host, await statusOf(closed, "GET", "/api/status", { host })]).toEqual([host, 200]);
    const page = { host: "node.example", origin: "https://app.example", "sec-fetch-site": "cross-site" };
    expect(await statusOf(closed, "GET", "/api/status", page)).toBe(200);
    for (const host of ["a.example", "node.example.a.example", "ai"])
      expect([host, await statusOf(closed, "GET", "/api/status", { host })]).toEqual([host, 403]);
  });
});

test("a WebSocket is begun by no page of others, and under no name of others", async () => {
  await servers.index.listen({ host: "127.0.0.1", port: 0 });
  const { port } = servers.index.server.address() as AddressInfo;
  const upgraded = async (headers: Sent) => {
    const upgrade = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" };
    const key = { "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==", "sec-websocket-protocol": "graphql-transport-ws" };
    const request = ask({ port, host: "127.0.0.1", path: "/graphql", headers: { ...upgrade, ...key, ...headers } });
    request.end();
    const status = await Promise.race([
      once(request, "upgrade").then(() => 101),
      once(request, "response").then(([response]) => (response as { statusCode: number }).statusCode),
    ]);
    request.destroy();
    return status;
  };
  expect(await upgraded({ host: `127.0.0.1:${port}` })).toBe(101);
  expect(await upgraded({ host: `127.0.0.1:${port}`, origin: `http://127.0.0.1:${port}` })).toBe(101);
  expect(await upgraded({ host: `127.0.0.1:${port}`, origin: "http://a.example" })).toBe(403);
  expect(await upgraded({ host: `a.example:${port}`, origin: `http://a.example:${port}` })).toBe(403);
  expect(await upgraded({ host: `a.example:${port}` })).toBe(403);
});
