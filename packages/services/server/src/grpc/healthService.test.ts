import { setMaxListeners } from "node:events";
import { Code, type ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { Health, ServingStatus } from "@vedette/api/grpc";
import { insertBlocks, TestQueries } from "@vedette/queries/testing";
import { attackers, bystander, until } from "@vedette/testing";
import { afterEach, expect, test } from "vitest";
import { GrpcTest, testLimits } from "../testing/grpcTest.js";
import { GrpcServer } from "./GrpcServer.js";
import { registerHealth } from "./healthService.js";

const opened: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one[Symbol.asyncDispose]();
});

function clientAt(port: number, localAddress = "127.0.0.1") {
  const nodeOptions: object = { localAddress };
  return createClient(Health, createGrpcTransport({ baseUrl: `http://127.0.0.1:${port}`, nodeOptions }));
}
const { SERVING, NOT_SERVING, SERVICE_UNKNOWN } = ServingStatus;

async function startWatched(isServing: () => boolean) {
  return clientAt(await listenWatched(isServing));
}

async function listenWatched(isServing: () => boolean): Promise<number> {
  const server = new GrpcServer({
    limits: testLimits,
    nowMs: () => performance.now(),
    web: false,
    routes: (router) =>
      registerHealth(router, { services: ["a.Service"], isServing, times: { lookMs: 5, repeatMs: 20 } }),
  });
  opened.push(server);
  return server.listen(0, "127.0.0.1");
}

test("a node serves when it has a chain, on both ports", async () => {
  const node = TestQueries.empty();
  const server = await GrpcTest.start(node.queries());
  opened.push(server);
  for (const port of [server.ports.external, server.ports.internal])
    expect((await clientAt(port).check({})).status).toBe(NOT_SERVING);
  insertBlocks(node.chain);
  for (const port of [server.ports.external, server.ports.internal])
    expect((await clientAt(port).check({ service: "casper.v1.DeployService" })).status).toBe(SERVING);
  const { statuses } = await clientAt(server.ports.internal).list({});
  expect(Object.entries(statuses).map(([name, { status }]) => [name, status])).toEqual([
    ["", SERVING],
    ["casper.v1.DeployService", SERVING],
    ["casper.v1.ProposeService", SERVING],
    ["vedette.v1.DeployNotes", SERVING],
    ["vedette.v1.Light", SERVING],
  ]);
});

test("what stands on another port is not known", async () => {
  const server = await GrpcTest.start(TestQueries.empty().queries());
  opened.push(server);
  const failure = await clientAt(server.ports.external)
    .check({ service: "casper.v1.ProposeService" })
    .catch((error: ConnectError) => error.code);
  expect(failure).toBe(Code.NotFound);
});

test("a watcher receives changes, and now and then the same status again", async () => {
  let isServing = false;
  const client = await startWatched(() => isServing);
  const statuses: ServingStatus[] = [];
  for await (const { status } of client.watch({ service: "a.Service" })) {
    statuses.push(status);
    if (statuses.length === 2) isServing = true;
    if (status === SERVING) break;
  }
  // How often the same status is sent depends on the machine; a change is sent once.
  expect(statuses.length).toBeGreaterThanOrEqual(3);
  expect(statuses.slice(0, -1).filter((status) => status !== NOT_SERVING)).toEqual([]);
  expect(statuses.at(-1)).toBe(SERVING);
});

test("a watch of an unknown service waits for it", async () => {
  const client = await startWatched(() => true);
  for await (const { status } of client.watch({ service: "other" })) {
    expect(status).toBe(SERVICE_UNKNOWN);
    break;
  }
});

test("watchers are bounded", async () => {
  const client = await startWatched(() => true);
  const ended = new AbortController();
  setMaxListeners(0, ended.signal);
  const watches = Array.from({ length: 70 }, async () => {
    for await (const _ of client.watch({}, { signal: ended.signal })) return "answered";
    return "nothing";
  });
  const results = await Promise.allSettled(watches);
  ended.abort();
  expect(results.filter(({ status }) => status === "fulfilled").length).toBeGreaterThanOrEqual(64);
  for (const result of results)
    if (result.status === "rejected") expect((result.reason as ConnectError).code).toBe(Code.ResourceExhausted);
});

test("a client that watches without end on all places makes room for another one", async () => {
  const port = await listenWatched(() => true);
  const ended = new AbortController();
  setMaxListeners(0, ended.signal);
  const busy = clientAt(port, attackers[0]);
  const cut: unknown[] = [];
  const watch = async (onStatus: () => void) => {
    for await (const _ of busy.watch({}, { signal: ended.signal })) onStatus();
  };
  const all = Array.from(
    { length: 64 },
    () => new Promise<void>((resolve) => void watch(resolve).catch((error) => cut.push(error))),
  );
  await Promise.all(all);
  for await (const { status } of clientAt(port, bystander).watch({})) {
    expect(status).toBe(SERVING);
    break;
  }
  await until("one of the others to be cut off", () => cut.length > 0);
  expect(cut).toHaveLength(1);
  expect((cut[0] as ConnectError).code).toBe(Code.ResourceExhausted);
  ended.abort();
});
