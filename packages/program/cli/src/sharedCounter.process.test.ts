import type { AddressInfo } from "node:net";
import { Code, ConnectError } from "@connectrpc/connect";
import { readConfig } from "@vedette/config";
import { TestQueries } from "@vedette/queries/testing";
import { NatsServer } from "@vedette/replication/streamTesting";
import {
  ApiKeys,
  bareServer,
  httpLimitsOf,
  rnodeHttpConventions,
  SharedBudget,
  type SharedBudgetEvent,
} from "@vedette/server";
import { hashOfApiKey, makeApiKey } from "@vedette/server/keys";
import { GrpcTest } from "@vedette/server/testing";
import { whyNoGo } from "@vedette/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sharedCounterOf } from "./sharedCounter.js";

const why = whyNoGo();
if (why !== undefined) process.stderr.write(`limits of a fleet are not tried on a NATS server: ${why}\n`);
const [apiKey, otherKey, patientKey] = [makeApiKey(), makeApiKey(), makeApiKey()];
const keyFacts = { name: "exchange", sha256: hashOfApiKey(apiKey), requestsPerSecond: 1, requestsAtOnce: 30 };
const members = 3;
/** Long enough for no window to end amid a test. */
const atOnce = 60;

describe.skipIf(why !== undefined)("members of a fleet that count together", () => {
  const events: SharedBudgetEvent["type"][] = [];
  const opened: AsyncDisposable[] = [];
  const urls: string[] = [];
  const grpc: GrpcTest[] = [];
  let nats: NatsServer;

  beforeAll(async () => {
    nats = await NatsServer.start();
    for (let member = 0; member < members; member += 1) await openMember();
  });
  afterAll(async () => {
    for (const one of opened.reverse()) await one[Symbol.asyncDispose]();
    await nats[Symbol.asyncDispose]();
  });

  const configOf = (shared: string) =>
    readConfig({
      ...{ home: "/nowhere", profile: undefined, configFile: undefined, options: new Map() },
      environment: {
        VEDETTE_API_SERVER_LIMITS_SHARED_COUNTER_URLS: shared,
        VEDETTE_API_SERVER_LIMITS_APPLY_TO_LOCALHOST: "true",
        VEDETTE_API_SERVER_LIMITS_REQUEST_BURST: String(atOnce),
        VEDETTE_API_SERVER_LIMITS_REQUESTS_PER_SECOND: "1",
      },
    }).config;

  async function openMember(): Promise<void> {
    const config = configOf(nats.url);
    const counter = (await sharedCounterOf(config))!;
    opened.push(counter);
    // In the middle of a window of each: whenever this runs, none ends.
    const budget = new SharedBudget({ counter, emit: ({ type }) => void events.push(type), wallMs: () => 150_000 });
    const keys = new ApiKeys(false, undefined, budget);
    const created = "2026-01-01T00:00:00Z";
    const others = [
      { ...keyFacts, name: "other", sha256: hashOfApiKey(otherKey), requestsAtOnce: 10 },
      { ...keyFacts, name: "patient", sha256: hashOfApiKey(patientKey), requestsAtOnce: 1_000 },
    ];
    keys.use([keyFacts, ...others].map((facts) => ({ ...facts, created })));
    const server = bareServer("public", rnodeHttpConventions, { limits: httpLimitsOf(config), budget, keys });
    server.get("/", async () => "here");
    await server.listen({ host: "127.0.0.1", port: 0 });
    opened.push({ [Symbol.asyncDispose]: () => server.close() });
    urls.push(`http://127.0.0.1:${(server.server.address() as AddressInfo).port}/`);
    const called = await GrpcTest.start(TestQueries.empty().queries(), {}, { keys });
    opened.push({ [Symbol.asyncDispose]: () => called[Symbol.asyncDispose]() });
    grpc.push(called);
  }

  const statuses = async (requests: number, headers: Record<string, string> = {}) => {
    const answers = await Promise.all(
      Array.from({ length: requests }, async (_, at) => (await fetch(urls[at % urls.length]!, { headers })).status),
    );
    return { served: answers.filter((status) => status === 200).length, kinds: [...new Set(answers)].sort() };
  };

  test("serve an address what one of them would", async () => {
    expect(await statuses(4 * atOnce)).toEqual({ served: atOnce, kinds: [200, 429] });
    expect(events).toEqual([]);
  });

  test("serve a key up to its limit, over HTTP and gRPC together", async () => {
    const headers = { "x-api-key": apiKey };
    const http = await statuses(12, headers);
    expect(http).toEqual({ served: 12, kinds: [200] });
    const call = async (at: number) => {
      const server = grpc[at % grpc.length]!;
      const failure: unknown = await server
        .deploys()
        .status({}, { headers })
        .catch((error: unknown) => error);
      return failure instanceof ConnectError ? failure.code : undefined;
    };
    const codes = await Promise.all(Array.from({ length: 60 }, (_, at) => call(at)));
    expect(codes.filter((code) => code === undefined)).toHaveLength(keyFacts.requestsAtOnce - 12);
    expect(new Set(codes)).toEqual(new Set([undefined, Code.ResourceExhausted]));
    expect((await statuses(6, headers)).kinds).toEqual([429]);
  });

  test("go by their own counts while the server is away, and report it once; then together again", async () => {
    await nats.kill(true);
    // With a key that was not used before, each member serves all that the key allows.
    expect(await statuses(2 * atOnce, { "x-api-key": otherKey })).toEqual({ served: members * 10, kinds: [200, 429] });
    expect(events).toEqual(Array.from({ length: members }, () => "away"));
    await nats.begin();
    await expect
      .poll(
        async () => {
          await statuses(members, { "x-api-key": patientKey });
          return events.filter((one) => one === "back").length;
        },
        { interval: 500 },
      )
      .toBe(members);
    expect((await statuses(60, { "x-api-key": apiKey })).kinds).toEqual([429]);
  });
});

test("members count alone by default, and a name that is no server is refused", async () => {
  const config = (shared: string) =>
    readConfig({
      ...{ home: "/nowhere", profile: undefined, configFile: undefined, options: new Map() },
      environment: { VEDETTE_API_SERVER_LIMITS_SHARED_COUNTER_URLS: shared },
    }).config;
  expect(await sharedCounterOf(config(""))).toBeUndefined();
  expect(() => config("localhost:4222")).toThrow("a list of NATS servers");
});
