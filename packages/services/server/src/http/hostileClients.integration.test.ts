import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import type { Line } from "@vedette/config/log";
import { insertBlocks, insertLine, TestQueries } from "@vedette/queries/testing";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Asked, agent, askAt, closing, exchangeAt } from "../testing/rawHttp.js";
import { createAdminServer } from "./adminServer.js";
import { createHttpServer } from "./server.js";

const lines: Line[] = [];
const options = { log: (line: Line) => void lines.push(line) };
const full = TestQueries.onDisk();
const { hashes } = insertBlocks(full.chain);
const long = TestQueries.empty();
const line = insertLine(long.chain, 103);
const young = TestQueries.empty();
young.isRunning = false;
const reads = (node: TestQueries) => ({ queries: node.queries(), metrics: async () => "", isReporting: true });
const servers: Record<"full" | "young" | "admin" | "long", FastifyInstance> = {
  full: createHttpServer(reads(full), options),
  young: createHttpServer(reads(young), options),
  admin: createAdminServer(full.queries(), options),
  long: createHttpServer(reads(long), options),
};

beforeAll(async () => {
  for (const server of Object.values(servers)) await server.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  for (const server of Object.values(servers)) await server.close();
  await full[Symbol.asyncDispose]();
  agent.destroy();
});
const portOf = (server: keyof typeof servers) => (servers[server].server.address() as AddressInfo).port;
const exchange = (server: keyof typeof servers, text: string, how = {}) => exchangeAt(portOf(server), text, how);
const ask = (path: string, { server = "full", ...asked }: Asked & { readonly server?: keyof typeof servers } = {}) =>
  askAt(portOf(server), path, asked);

const stackTrace = /\bat .+:\d+:\d+|node_modules|\.ts:\d|\.js:\d/;
/** The texts of stores about keys. */
const storeText = /\bkeys?\b.*(size|bytes|large)/i;
const longHash = "ab".repeat(32);

/** No table has a key of 2,000 bytes. */
const longerThanKeys = "ab".repeat(2_000);

const oddValues = [
  "",
  "-1",
  "0",
  "1e3",
  "1.0",
  "99999999999",
  "-99999999999999999999999999",
  "NaN",
  "xyz",
  "abc",
  longHash,
  longHash.slice(1),
  `${longHash}00`,
  "00".repeat(1_000),
  longerThanKeys,
  "%00",
  "%",
  "%zz",
  "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
  "..%2f..",
  "__proto__",
  "constructor",
  "%F0%9F%92%A9",
  "a%0d%0ab",
  "*",
  ":hash",
  "{hash}",
];

const bodies: readonly (string | undefined)[] = [
  undefined,
  "",
  " ",
  "null",
  "[]",
  "{}",
  '"',
  "0",
  "{",
  `${"[".repeat(100_000)}`,
  `{"a":${"[".repeat(300)}${"]".repeat(300)}}`,
  '{"__proto__":{"term":"Nil"},"constructor":1}',
  '{"term":1,"blockHash":[],"usePreStateHash":"true"}',
  '{"term":"Nil","blockHash":"xyz","usePreStateHash":false}',
  `{"term":"Nil","blockHash":"${longHash}","usePreStateHash":false,"more":1}`,
  '{"name":{"UnforgPrivate":{"data":"zz"}},"depth":1}',
  '{"name":{"UnforgPrivate":{"data":"abc"}},"depth":-1}',
  '{"name":{"UnforgDeploy":{"data":"00"}},"depth":2147483647}',
  '{"name":{"UnforgDeploy":{"data":"00"}},"depth":2147483648}',
  '{"deployer":"zz","timestamp":9223372036854775807,"nameQty":-1}',
  '{"deployer":"zz","timestamp":9223372036854775808,"nameQty":1}',
  '{"data":{},"deployer":"","signature":"","sigAlgorithm":""}',
  "\u0000\u0001",
  "\ud800",
  "new x in {",
];

/** Returns the routes of a server: routes that the operator's shares with the public one are the same there. */
function contractsOf(server: "full" | "young" | "admin") {
  const { contracts } = servers[server];
  return server === "admin" ? contracts.filter((one) => !servers.full.contracts.includes(one)) : contracts;
}

describe("any content of a path or a body", () => {
  test("no path ends in a stack trace or a status that is not rnode's", async () => {
    const wrong: string[] = [];
    for (const server of ["full", "young", "admin"] as const) {
      const paths = contractsOf(server)
        .filter(({ method }) => method === "GET")
        .flatMap(({ paths }) => paths);
      for (const path of paths)
        for (const value of path.includes("{") ? oddValues : [""]) {
          if (path.startsWith("/v2") || (value.length > 2_000 && path.includes("}/{"))) continue;
          const { status, text } = await ask(path.replaceAll(/\{\w+\}/g, value), { server });
          const allowed = path.startsWith("/api/v1/") ? [200, 400, 404, 500] : [200, 400, 404, 503];
          const reportsOfKeys = status >= 400 && storeText.test(text);
          if (!allowed.includes(status) || stackTrace.test(text) || reportsOfKeys)
            wrong.push(`${path} ${value}: ${status} ${text}`);
        }
    }
    expect(wrong).toEqual([]);
    expect(lines.filter(({ more }) => more !== undefined)).toEqual([]);
  });

  test("no body ends in a stack trace or a status that is not rnode's", async () => {
    const wrong: string[] = [];
    for (const server of ["full", "young", "admin"] as const)
      for (const { method, paths, refusals } of contractsOf(server))
        for (const path of method === "POST" ? paths : [])
          for (const body of bodies) {
            if (refusals === "problem") continue;
            const headers = { "content-type": "application/json" };
            const { status, text } = await ask(path, { server, method, headers, body: body ?? null });
            const ofF1r3nodeDialect = refusals === "kind" ? [404, 503] : [];
            const allowed = refusals === "texts" ? [200, 400, 500] : [200, 400, ...ofF1r3nodeDialect];
            if (!allowed.includes(status) || stackTrace.test(text)) wrong.push(`${path} ${body}: ${status} ${text}`);
            JSON.parse(text);
          }
    expect(wrong).toEqual([]);
  });

  test("a node that has no chain yet says so in rnode's words", async () => {
    const texts: readonly (readonly [string, string])[] = [
      ["/api/blocks", "Could not visualize graph, casper instance was not available yet."],
      ["/blocks/5", "Could not visualize graph, casper instance was not available yet."],
      ["/api/blocks/1/2", "Error: Could not retrieve blocks from 1 to 2"],
      [`/api/block/${longHash}`, "Error: Could not get block, casper instance was not available yet."],
      ["/last-finalized-block", "Error: Could not get last finalized block, casper instance was not available yet."],
      ["/api/deploy/00", "Error: errorMessage"],
      [
        `/api/is-finalized/${longHash}`,
        "Error: Could not check if block is finalized, casper instance was not available yet.",
      ],
    ];
    for (const [path, text] of texts)
      expect([path, (await ask(path, { server: "young" })).text]).toEqual([path, JSON.stringify(text)]);
    expect((await ask("/status", { server: "young" })).status).toBe(200);
  });

  test("what is asked for in excess is refused in rnode's words", async () => {
    const texts: readonly (readonly [string, string])[] = [
      ["/api/blocks/51", "Your request depth 51 exceed the max limit 50"],
      ["/api/blocks/2147483647", "Your request depth 2147483647 exceed the max limit 50"],
      ["/api/blocks/-1", "coop.rchain.blockstorage.TopoSortFragmentParameterError"],
      ["/api/blocks/0/51", "Your request startBlockNumber 0 and endBlockNumber 51 exceed the max limit 50"],
      ["/api/blocks/9/3", "coop.rchain.blockstorage.TopoSortFragmentParameterError"],
      ["/api/block/abcde", "Input hash value must be at least 6 characters: abcde"],
      ["/api/block/abcdeg", "Input hash value is not valid hex string: abcdeg"],
      [`/api/block/${longHash}`, `Error: Failure to find block with hash: ${longHash}`],
      [`/api/block/${longerThanKeys}`, `Error: Failure to find block with hash: ${longerThanKeys}`],
      [`/api/deploy/${longerThanKeys}`, `Couldn't find block containing deploy with id: ${longerThanKeys}`],
      [`/api/is-finalized/${longerThanKeys}`, "false"],
      [`/api/deploy/${longHash}`, `Couldn't find block containing deploy with id: ${longHash}`],
    ];
    for (const [path, text] of texts)
      expect([path, (await ask(path)).text]).toEqual([path, text === "false" ? text : JSON.stringify(text)]);
  });

  test("nothing leads out of the routes", async () => {
    for (const path of [
      "/..%2f..%2fetc/passwd",
      "/docs/..%2f..%2fpackage.json",
      "/docs/static/..%2f..%2f..%2fpackage.json",
      "/guide/..%2f..%2fpackage.json",
      "/guide/%2e%2e/README",
      "/guide/how-to/dev.md",
      "/guide/__proto__",
    ])
      expect([path, (await ask(path)).status]).toEqual([path, 404]);
    const raw = await exchange("full", `GET /docs/static/../../../package.json HTTP/1.1\r\n${closing}`);
    expect(raw).not.toContain("dependencies");
    expect(raw).toMatch(/^HTTP\/1.1 40[34]/);
    expect(await exchange("full", `GET http://evil/../status HTTP/1.1\r\n${closing}`)).toMatch(/^HTTP\/1.1 [24]0/);
    for (const path of ["/api/propose", "/api/v1/propose"])
      for (const method of ["GET", "POST"])
        expect([path, method, (await ask(path, { method })).status]).toEqual([path, method, 404]);
  });

  test("the type of a body does not matter, its charset does", async () => {
    const body = Buffer.from('{"deployer":"00","timestamp":1,"nameQty":0}');
    for (const type of [
      "",
      ";",
      "garbage",
      "a/b/c",
      "text/xml",
      "multipart/form-data; boundary=x",
      "application/json; charset=nonsense",
    ]) {
      const { status, text } = await ask("/api/prepare-deploy", {
        method: "POST",
        body,
        headers: { "content-type": type },
      });
      expect([type, status, text]).toEqual([type, 200, '{"names":[],"seqNumber":-1}']);
    }
    const wide = Buffer.from('"\u00e9"', "utf16le");
    const headers = { "content-type": "text/plain; charset=utf-16le" };
    const { text } = await ask("/api/prepare-deploy", { method: "POST", body: wide, headers });
    expect(JSON.parse(text)).toBe('Invalid message body: Could not decode JSON: "\u00e9"...');
  });

  test("a path that cannot be decoded is refused in the form of its kind", async () => {
    expect(JSON.parse((await ask("/api/block/%zz")).text)).toMatch(/not a valid url/);
    const { status, headers } = await ask("/v2/%zz");
    expect([status, headers.get("content-type")]).toEqual([400, "application/problem+json"]);
  });

  test("a body of very many values is not read to its end", async () => {
    const body = (count: number) => `[${"0,".repeat(count - 1)}0]`;
    const text = async (count: number) =>
      JSON.parse((await ask("/api/prepare-deploy", { method: "POST", body: body(count) })).text);
    expect(await text(19_999)).toMatch(/^Invalid message body: Could not decode JSON: \[/);
    expect(await text(20_000)).toBe("Malformed message body: Invalid JSON");
    expect(await text(2_000_000)).toBe("Malformed message body: Invalid JSON");
    const ours = await ask("/v2/balances", { method: "POST", body: `{"addresses":${body(1_000_000)}}` });
    expect([ours.status, JSON.parse(ours.text).field]).toEqual([400, "body"]);
  });

  test("below /v2 a refusal is a problem that says what is wrong", async () => {
    const { status, text, headers } = await ask("/v2/no/such/route");
    expect([status, headers.get("content-type")]).toEqual([404, "application/problem+json"]);
    expect(JSON.parse(text)).toMatchObject({ type: "about:blank", title: "Not Found", status: 404 });
  });
});

describe("routes of ours", () => {
  test("name the part of a request that is to blame", async () => {
    const cases: readonly (readonly [string, string])[] = [
      ["/health/live?x=1", "query.x"],
      ["/health/ready?verbose=true&x=1", "query.verbose"],
      ["/openapi.json?__proto__=1", "query.__proto__"],
    ];
    for (const [path, field] of cases) {
      const { status, text, headers } = await ask(path);
      expect([path, status, headers.get("content-type")]).toEqual([path, 400, "application/problem+json"]);
      expect(JSON.parse(text)).toMatchObject({ status: 400, field, detail: expect.stringContaining(field) });
    }
  });

  test("end in no stack trace and no error of the server, whatever is asked", async () => {
    const wrong: string[] = [];
    for (const server of ["full", "young"] as const)
      for (const { method, paths, refusals, answer, query } of servers[server].contracts) {
        if (refusals !== "problem" || answer.type === "text/event-stream") continue;
        const names = Object.keys((query as { properties?: object } | undefined)?.properties ?? {});
        const queries = [
          "",
          "?x=1",
          ...names.flatMap((name) => [`?${name}=`, `?${name}=%00`, `?${name}=1&${name}=x`, `?${name}=${longHash}`]),
        ];
        for (const path of paths) {
          const values = path.includes("{") ? oddValues : [longHash];
          const requests = [
            ...values.map((value) => ({ value, asked: "", body: "{}" as string | undefined })),
            ...queries.map((asked) => ({ value: longHash, asked, body: "{}" as string | undefined })),
            ...(method === "POST" ? bodies.map((body) => ({ value: longHash, asked: "", body })) : []),
          ];
          for (const { value, asked, body } of requests) {
            const url = `${path.replaceAll(/\{\w+\}/g, value)}${asked}`;
            const sent = method === "GET" || body === undefined ? {} : { body };
            const { status, text, headers } = await ask(url, { server, method, ...sent });
            const isProblem = headers.get("content-type") === "application/problem+json";
            const mustBeOne = status >= 400 && url.startsWith("/v2");
            if (status === 500 || stackTrace.test(text) || (mustBeOne && !isProblem))
              wrong.push(`${method} ${url} ${body}: ${status} ${text}`);
          }
        }
      }
    expect(wrong).toEqual([]);
  });
});

describe("the log", () => {
  test("has exceptions, not refusals, and in no case lines of a client", async () => {
    lines.length = 0;
    await ask("/api/block/abc");
    await ask("/api/prepare-deploy", { method: "POST", body: "{}" });
    expect(lines).toEqual([]);
    await ask("/api/prepare-deploy", { method: "POST", body: "{" });
    await ask("/api/prepare-deploy", { method: "POST", body: "" });
    expect(lines).toMatchObject([
      { level: "error", text: "HTTP API response error: Malformed message body: Invalid JSON" },
      { level: "error", text: "HTTP API response error: Malformed message body: Invalid JSON: empty body" },
    ]);
  });
});

describe("answers", () => {
  test("are compressed where the client asks for it, and only there", async () => {
    const raw = async (accept: string) => {
      const head = `GET /openapi.json HTTP/1.1\r\n${accept}${closing}`;
      const answer = await exchange("full", head);
      const end = answer.indexOf("\r\n\r\n");
      return { head: answer.slice(0, end).toLowerCase(), body: Buffer.from(answer.slice(end + 4), "latin1") };
    };
    const plain = await raw("");
    expect(plain.head).not.toContain("content-encoding");
    expect((await raw("accept-encoding: identity, gzip;q=0, br;q=0.0\r\n")).head).not.toContain("content-encoding");
    const zipped = await raw("accept-encoding: gzip\r\n");
    expect(zipped.head).toContain("content-encoding: gzip");
    expect(zipped.head).toContain("vary: accept-encoding");
    expect(gunzipSync(zipped.body).equals(plain.body)).toBe(true);
    expect((await raw("accept-encoding: gzip, br\r\n")).head).toContain("content-encoding: br");
  });

  test("are not sent again to a client that has them", async () => {
    const { headers, text } = await ask(`/api/block/${hashes.top}`);
    const tag = headers.get("etag")!;
    expect(headers.get("cache-control")).toBe("no-cache");
    const again = await ask(`/api/block/${hashes.top}`, { headers: { "if-none-match": `"other", ${tag}` } });
    expect([again.status, again.text]).toEqual([304, ""]);
    const other = await ask(`/api/block/${hashes.top}`, { headers: { "if-none-match": '"other"' } });
    expect([other.status, other.text]).toEqual([200, text]);
    expect((await ask("/status")).headers.get("etag")).toBeNull();
  });

  test("are kept where they stay as they are", async () => {
    const held = async (path: string) => (await ask(path, { server: "long" })).headers.get("cache-control");
    const [genesis, next] = [line[0]!, line[1]!];
    expect(await held(`/api/block/${genesis}`)).toBe("public, max-age=86400, immutable");
    expect(await held(`/api/v1/block/${genesis}`)).toBe("public, max-age=86400, immutable");
    // The first digits can match another block later; a block that is not finalized can become so.
    expect(await held(`/api/block/${genesis.slice(0, 20)}`)).toBe("no-cache");
    expect(await held(`/api/block/${next}`)).toBe("no-cache");
    expect(await held(`/is-finalized/${genesis}`)).toBe("public, max-age=86400, immutable");
    expect(await held(`/is-finalized/${next}`)).toBe("no-cache");
    expect(await held(`/api/block/${longHash}`)).toBeNull();
    expect(await held("/blocks/2")).toBe("no-cache");
  });

  test("allow any origin below a prefix that has routes, and not elsewhere", async () => {
    const origin = { origin: "http://example.org" };
    const asked = { ...origin, "access-control-request-method": "POST" };
    const preflight = await ask("/api/no/such", { method: "OPTIONS", headers: asked });
    expect([preflight.status, preflight.headers.get("access-control-allow-methods")]).toEqual([200, "POST"]);
    expect((await ask("/no/such", { method: "OPTIONS", headers: asked })).status).toBe(404);
    for (const path of ["/no/such", "/api/no/such"])
      expect((await ask(path, { headers: origin })).headers.get("access-control-allow-origin")).toBeNull();
    expect((await ask("/status", { headers: origin })).headers.get("access-control-allow-origin")).toBe(origin.origin);
    expect((await ask("/status")).headers.get("vary")).toBeNull();
  });
});
