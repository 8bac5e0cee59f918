import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { explainConfig, printValue } from "@vedette/config";
import { eventLimitsOf, readerLimits, slotLimits } from "@vedette/queries/events";
import { afterAll, describe, expect, test } from "vitest";
import { grpcLimitsOf, ownLimits } from "./grpc/limits.js";
import { defaultHttpLimits, httpLimitsOf } from "./http/HttpLimits.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-limits-"));
const file = join(folder, "rnode.conf");
afterAll(() => rmSync(folder, { recursive: true }));

function explain(text: string, environment: Record<string, string> = {}) {
  writeFileSync(file, text);
  const { config, entries, problems, warnings } = explainConfig({ home: "/home", configFile: file, environment });
  const reported = problems.map(({ key, text }) => `${key?.replace("api-server.", "")}: ${text}`);
  const shown = (key: string) => entries.filter((entry) => entry.key === `api-server.${key}`).map(printValue)[0];
  return { config, reported, shown, warnings };
}

const limits = (text: string) => explain(`api-server.limits { ${text} }`);

describe("the limits that are set", () => {
  test("are the servers' own where nothing is", () => {
    const { config, shown } = explain("");
    expect(httpLimitsOf(config!)).toEqual(defaultHttpLimits);
    expect(eventLimitsOf(config!)).toEqual({ slots: slotLimits, reader: readerLimits });
    expect(grpcLimitsOf(config!)).toMatchObject(ownLimits);
    expect([shown("proxies.trusted"), shown("proxies.header")]).toEqual(["[]", '"x-forwarded-for"']);
  });

  test("are the servers' limits", () => {
    const { config, reported, shown } = explain(
      `api-server.limits { apply-to-localhost = true, requests-per-second = 1, request-burst = 2, connections = 30
      connections-per-address = 4, body-size = 5M, header-size = 6K, path-length = 700, header-timeout = 8s
      request-timeout = 9s, idle-timeout = 10 minutes, event-connections = 20, event-connections-per-address = 3
      event-buffer-size = 64K, event-backlog = 7, event-stall-timeout = 11s
      grpc-connections = 12, grpc-connections-per-address = 13, grpc-calls = 14 }`,
    );
    expect(reported).toEqual([]);
    expect(shown("limits.idle-timeout")).toBe("10 minutes");
    expect(httpLimitsOf(config!)).toEqual({
      ...{ limitsOwnMachine: true, requestsPerSecond: 1, burst: 2, connections: 30, connectionsPerAddress: 4 },
      ...{ bodyBytes: 5 << 20, headBytes: 6 << 10, pathCharacters: 700 },
      ...{ headTimeoutMs: 8_000, requestTimeoutMs: 9_000, idleTimeoutMs: 600_000 },
    });
    expect(eventLimitsOf(config!)).toEqual({
      slots: { inAll: 20, perAddress: 3, limitsOwnMachine: true },
      reader: { ...readerLimits, keptBytes: 65_536, blockedEntries: 7, blockedMs: 11_000 },
    });
    expect(grpcLimitsOf(config!)).toMatchObject({
      ...{ maxConnections: 12, maxConnectionsPerAddress: 13, maxCalls: 14 },
    });
  });

  test.each([
    ["requests-per-second = 0", "must be from 1 to 1000000, not 0"],
    ["request-burst = -1", "must be from 1 to 1000000, not -1"],
    ["connections = 1000001", "must be from 8 to 1000000, not 1000001"],
    ["body-size = 2G", "must be from 1024 to 1073741824, not 2147483648"],
    ["header-size = 1", "must be from 4096 to 1048576, not 1"],
    ["path-length = 70000", "must be from 256 to 65536, not 70000"],
    ["header-timeout = 5", "must be from 1 seconds to 1 hours, not 5 milliseconds"],
    ["idle-timeout = 2 days", "must be from 1 seconds to 1 days, not 2 days"],
    ["event-buffer-size = 1K", "must be from 65536 to 67108864, not 1024"],
    ["event-backlog = many", 'must be a whole number of 32 bits, not "many"'],
    ["grpc-calls = 0", "must be from 1 to 1000000, not 0"],
  ])("are refused outside their bounds: %s", (text, why) => {
    expect(limits(text).reported).toEqual([`limits.${text.split(" ")[0]}: ${why}`]);
  });

  test("do not contradict each other", () => {
    expect(limits("header-timeout = 2m").reported).toEqual([
      "limits.header-timeout: must not be more than api-server.limits.request-timeout, which is 1 minutes: the head is a part of the request",
    ]);
    expect(limits("header-timeout = 60s").reported).toEqual([]);
    expect(limits("event-connections = 6144").reported).toEqual([
      "limits.event-connections: must be less than api-server.limits.connections, which is 6144: event subscribers could take all connections",
    ]);
    expect(limits("event-connections = 6143").reported).toEqual([]);
  });

  test("are guessed at where they are misspelt", () => {
    const { warnings } = limits("request-per-second = 5");
    expect(warnings.map(({ text }) => text)).toEqual([
      "there is no such key; did you mean api-server.limits.requests-per-second?",
    ]);
  });
});

describe("trusted proxies", () => {
  test("are addresses and networks, in a file or a variable", () => {
    const text = 'api-server.proxies { trusted = ["10.0.0.1", "2001:db8::/32"], header = Forwarded }';
    const { config, shown } = explain(text);
    expect(config?.["api-server.proxies.trusted"]).toEqual(["10.0.0.1", "2001:db8::/32"]);
    expect(config?.["api-server.proxies.header"]).toBe("forwarded");
    expect(shown("proxies.trusted")).toBe('["10.0.0.1", "2001:db8::/32"]');
    const variables = { VEDETTE_API_SERVER_PROXIES_TRUSTED: "192.0.2.0/24, ::1" };
    expect(explain(text, variables).config?.["api-server.proxies.trusted"]).toEqual(["192.0.2.0/24", "::1"]);
    const none = { VEDETTE_API_SERVER_PROXIES_TRUSTED: "" };
    expect(explain(text, none).config?.["api-server.proxies.trusted"]).toEqual([]);
  });

  const wanted =
    'proxies.trusted: must be a list of addresses and networks, as ["192.0.2.1", "10.0.0.0/8", "2001:db8::/32"]';

  test.each([
    ['["proxy.example.org"]', `${wanted}; "proxy.example.org" is none`],
    ['["10.0.0.1", "10.0.0.0/33"]', `${wanted}; "10.0.0.0/33" is none`],
    ['["0.0.0.0/0"]', `${wanted}; "0.0.0.0/0" is none`],
    ["[[]]", wanted],
    ["10.0.0.1", wanted],
    ["true", wanted],
  ])("are nothing else: %s", (value, expected) => {
    expect(explain(`api-server.proxies.trusted = ${value}`).reported).toEqual([expected]);
  });

  test("name their clients in one of two headers", () => {
    expect(explain("api-server.proxies.header = x-real-ip").reported).toEqual([
      'proxies.header: must be x-forwarded-for or forwarded, not "x-real-ip"',
    ]);
  });
});
