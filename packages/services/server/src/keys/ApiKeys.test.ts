import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { Health } from "@vedette/api/grpc";
import { NodeClient } from "@vedette/client/node";
import { insertBlocks, TestQueries } from "@vedette/queries/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultHttpLimits } from "../http/HttpLimits.js";
import { createHttpServer } from "../http/server.js";
import { GrpcTest } from "../testing/grpcTest.js";
import { ApiKeys } from "./ApiKeys.js";
import { changeApiKeys, hashOfApiKey, makeApiKey } from "./apiKeyFile.js";
import { openKeys } from "./openKeys.js";

const [known, poor, other] = [makeApiKey(), makeApiKey(), makeApiKey()];
const key = (name: string, text: string, requestsAtOnce = 1_000) => ({
  ...{ name, sha256: hashOfApiKey(text), requestsPerSecond: 1, requestsAtOnce, created: "2026-01-01T00:00:00Z" },
});
const none = { authorization: undefined, key: undefined };

/**
 * Sends more requests at once than a key with a burst of two regains while they are answered, on any slow machine.
 *
 * @returns the first answers of both that are served, and one that is refused
 */
async function atOnce<Answer>(ask: () => Promise<Answer>): Promise<Answer[]> {
  const answers = await Promise.all(Array.from({ length: 20 }, ask));
  const served = answers.filter((answer) => answer === answers[0]);
  return [...served.slice(0, 2), ...answers.filter((answer) => answer !== answers[0]).slice(0, 1)];
}

describe("a request", () => {
  const used: string[] = [];
  const keys = new ApiKeys(false, (name, isServed) => used.push(`${name} ${String(isServed)}`));
  keys.use([key("known", known), key("poor", poor, 2)]);

  test("counts for its key, by either header, and for its address without one", () => {
    expect(keys.judge({ ...none, key: known }, 0)).toEqual({ kind: "counted", name: "known", waitSeconds: 0 });
    const bearer = { ...none, authorization: `bearer  ${known}` };
    expect(keys.judge(bearer, 0)).toMatchObject({ kind: "counted", name: "known" });
    expect(keys.judge(none, 0)).toEqual({ kind: "anonymous" });
    // These are credentials for a proxy before the server.
    for (const authorization of ["Basic dXNlcjpwYXNz", "Bearer eyJhbGciOi.J9", "", "bearer"])
      expect(keys.judge({ ...none, authorization }, 0)).toEqual({ kind: "anonymous" });
  });

  test("waits where its key has been used too often, and no other one does", () => {
    const waits = [0, 0, 0, 1_000].map((nowMs) => keys.judge({ ...none, key: poor }, nowMs));
    expect(waits.map((one) => one.kind === "counted" && one.waitSeconds)).toEqual([0, 0, 1, 0]);
    expect(keys.judge({ ...none, key: known }, 0)).toMatchObject({ waitSeconds: 0 });
    expect(used.filter((one) => one.startsWith("poor"))).toEqual(["poor true", "poor true", "poor false", "poor true"]);
  });

  test("is refused with an unknown key, and without one where that is wanted", () => {
    for (const text of [other, "", known.toUpperCase(), `${known},${known}`, "x".repeat(10_000)])
      expect(keys.judge({ ...none, key: text }, 0)).toMatchObject({ kind: "refused" });
    const strict = new ApiKeys(true);
    strict.use([key("known", known)]);
    expect(strict.judge(none, 0)).toMatchObject({ kind: "refused" });
    expect(strict.judge({ ...none, authorization: "Basic dXNlcjpwYXNz" }, 0)).toMatchObject({ kind: "refused" });
    expect(strict.judge(none, 0, true)).toEqual({ kind: "anonymous" });
    expect(strict.judge({ ...none, key: known }, 0)).toMatchObject({ kind: "counted" });
  });
});

describe("an HTTP server", () => {
  const folder = mkdtempSync(join(tmpdir(), "vedette-keys-"));
  const path = join(folder, "keys.json");
  changeApiKeys(path, () => [key("known", known), key("poor", poor, 2)]);
  const failures: string[] = [];
  const opened = openKeys({
    ...{ path, isRequired: true, lookMs: 20 },
    onUse: () => undefined,
    onRead: () => undefined,
    onFailure: (reason) => failures.push(reason),
  });
  const limits = { ...defaultHttpLimits, limitsOwnMachine: true, burst: 1_000, requestsPerSecond: 0.001 };
  const reads = { queries: TestQueries.empty().queries(), metrics: async () => "" };
  const server = createHttpServer(reads, { limits, keys: opened.keys });
  beforeAll(async () => {
    await server.listen({ host: "127.0.0.1", port: 0 });
  });
  afterAll(async () => {
    opened[Symbol.dispose]();
    await server.close();
    rmSync(folder, { recursive: true });
  });
  const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    fetch(`http://127.0.0.1:${(server.server.address() as AddressInfo).port}${path}`, { headers, method });

  test("serves requests with a key, refuses those without, and answers health checks without a key", async () => {
    const refused = await ask("/v2/deploys");
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toBe("Bearer");
    expect(((await refused.json()) as { detail: string }).detail).toContain("x-api-key");
    expect((await ask("/api/status", { "x-api-key": other })).status).toBe(401);
    for (let times = 0; times < 3; times += 1)
      expect((await ask("/api/status", { authorization: `Bearer ${known}` })).status).toBe(200);
    expect((await ask("/health/live")).status).toBe(200);
    const statuses = await atOnce(async () => {
      const answer = await ask("/api/status", { "x-api-key": poor });
      return `${answer.status} ${answer.headers.get("retry-after")}`;
    });
    expect(statuses).toEqual(["200 null", "200 null", "429 1"]);
    const preflight = { origin: "https://app.example", "access-control-request-method": "GET" };
    expect((await ask("/api/status", preflight, "OPTIONS")).status).toBe(200);
  });

  test("goes by the file as it is now, and by what held before where that is none", async () => {
    const status = async (text: string) => (await ask("/api/status", { "x-api-key": text })).status;
    changeApiKeys(path, (keys) => [...keys.filter(({ name }) => name !== "known"), key("other", other)]);
    await expect.poll(() => status(other)).toBe(200);
    expect(await status(known)).toBe(401);
    writeFileSync(path, '{"keys":[{"name":"a b"}]}');
    await expect.poll(() => failures.length).toBeGreaterThan(0);
    expect(failures[0]).toContain("is no file of API keys");
    expect(await status(other)).toBe(200);
    rmSync(path);
    await expect.poll(() => failures.at(-1)).toContain("cannot be used");
    expect(await status(other)).toBe(200);
    changeApiKeys(path, () => []);
    await expect.poll(() => status(other)).toBe(401);
  });

  test("lets a client that guesses keys try no more often than an address may ask", async () => {
    changeApiKeys(path, () => [key("known", known)]);
    const status = async (text: string) => (await ask("/api/status", { "x-api-key": text })).status;
    await expect.poll(() => status(known)).toBe(200);
    const statuses = new Set<number>();
    for (let tries = 0; tries <= 1_000 && !statuses.has(429); tries += 1) statuses.add(await status(makeApiKey()));
    expect([...statuses]).toEqual([401, 429]);
    expect(await status(known)).toBe(200);
  });
});

describe("a gRPC server", () => {
  const keys = new ApiKeys(true);
  keys.use([key("known", known), key("poor", poor, 2)]);
  const node = TestQueries.empty();
  insertBlocks(node.chain);
  let server: GrpcTest;
  beforeAll(async () => {
    server = await GrpcTest.start(node.queries(), {}, { keys });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test("serves users by their keys, and the operator without", async () => {
    const codeOf = async (text: string | undefined, port: "external" | "internal" = "external") => {
      const headers: Record<string, string> = text === undefined ? {} : { "x-api-key": text };
      const failure: unknown = await server
        .deploys(port)
        .status({}, { headers })
        .catch((error: unknown) => error);
      return failure instanceof ConnectError ? failure.code : undefined;
    };
    expect(await codeOf(undefined)).toBe(Code.Unauthenticated);
    expect(await codeOf(other)).toBe(Code.Unauthenticated);
    expect(await codeOf(known)).toBeUndefined();
    expect(await codeOf(undefined, "internal")).toBeUndefined();
    expect(await atOnce(() => codeOf(poor))).toEqual([undefined, undefined, Code.ResourceExhausted]);
    const lists = async (headers: Record<string, string>) => {
      let blocks = 0;
      for await (const _one of server.deploys().getBlocks({ depth: 1 }, { headers })) blocks += 1;
      return blocks;
    };
    expect(await lists({ authorization: `Bearer ${known}` })).toBe(1);
    await expect(lists({})).rejects.toThrow("An API key is needed here");
    using client = new NodeClient({ host: "127.0.0.1", port: server.ports.external, headers: { "x-api-key": known } });
    expect(await client.latestBlock()).toMatchObject({ blockNumber: 2n });
    using poorer = new NodeClient({
      host: "127.0.0.1",
      port: server.ports.external,
      headers: { "x-api-key": poor },
      retries: 0,
    });
    const tooOften = Promise.all(Array.from({ length: 20 }, () => poorer.latestBlock()));
    await expect(tooOften).rejects.toThrow("Too many requests with the key poor; send the next one in 1 s.");
    await expect(tooOften).rejects.toMatchObject({ failure: { code: "refused", status: 429 } });
    using anonymous = new NodeClient({ host: "127.0.0.1", port: server.ports.external });
    await expect(anonymous.latestBlock()).rejects.toMatchObject({ failure: { code: "refused", status: 401 } });
    const transport = createGrpcTransport({ baseUrl: `http://127.0.0.1:${server.ports.external}` });
    expect(await createClient(Health, transport).check({})).toMatchObject({ status: 1 });
  });
});
