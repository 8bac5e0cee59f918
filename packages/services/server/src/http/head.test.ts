import type { AddressInfo } from "node:net";
import type { RouteContract } from "@vedette/api";
import type { ServedEvents } from "@vedette/queries/events";
import { insertBlocks, TestQueries } from "@vedette/queries/testing";
import type { FastifyInstance } from "fastify";
import { afterAll, expect, test } from "vitest";
import { createAdminServer } from "./adminServer.js";
import { contractsOf } from "./serve.js";
import { createHttpServer } from "./server.js";

const node = TestQueries.empty();
const { hashes } = insertBlocks(node.chain);
const queries = node.queries();
// The sources that a HEAD of a stream reads: nothing is streamed.
const closing = { close: async () => undefined };
const events = {
  ...{ hub: closing, reference: closing, reportsTransfers: false, reportsNotes: false },
  log: { placeOf: () => ({}) },
} as unknown as ServedEvents;
const servers = {
  public: createHttpServer({ queries, metrics: async () => "metrics", isReporting: true, events }),
  admin: createAdminServer(queries),
};

afterAll(() => Promise.all(Object.values(servers).map((server) => server.close())));

const values: Readonly<Record<string, string>> = {
  hash: hashes.top,
  start: "0",
  end: "1",
  depth: "1",
  from: "0",
};

function pathsOf({ paths }: RouteContract): string[] {
  return paths.map((path) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "1"));
}

test.each(["public", "admin"] as const)(
  "every GET route of the %s server has a HEAD with the same headers",
  async (name) => {
    const server = servers[name];
    await server.ready();
    const routes = contractsOf(server).filter(({ method, name: route }) => method === "GET" && route !== "events");
    const paths = [
      ...routes.flatMap(pathsOf),
      ...(name === "public" ? ["/docs/", "/guide/", "/nowhere"] : ["/nowhere"]),
    ];
    expect(paths.length).toBeGreaterThan(name === "public" ? 30 : 1);
    for (const url of paths) {
      const [get, head] = [await server.inject({ method: "GET", url }), await server.inject({ method: "HEAD", url })];
      const compared = ["content-type", "content-length", "etag", "cache-control"] as const;
      const facts = (answer: typeof get) => [
        url,
        answer.statusCode,
        ...compared.map((header) => answer.headers[header]),
      ];
      // If there is nothing, both report that; a body that changes with the time has another length.
      if (get.statusCode === 200) expect(facts(head)).toEqual(facts(get));
      else expect([url, head.statusCode]).toEqual([url, get.statusCode]);
      expect(head.rawPayload.length).toBe(0);
    }
  },
);

test("HEAD of a stream of events is its head alone, and ends", async () => {
  const head = await servers.public.inject({ method: "HEAD", url: "/v2/events?after=newest" });
  expect([head.statusCode, head.headers["content-type"]]).toEqual([200, "text/event-stream; charset=UTF-8"]);
  const wrong = await servers.public.inject({ method: "HEAD", url: "/v2/events?nothing=1" });
  expect(wrong.statusCode).toBe(400);
});

test("over a real socket the connection is free for the next request", async () => {
  const server: FastifyInstance = createHttpServer({ queries, metrics: async () => "" });
  await server.listen({ host: "127.0.0.1", port: 0 });
  try {
    const origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
    for (const path of ["/status", "/blocks", "/openapi.json", "/docs/"]) {
      const head = await fetch(origin + path, { method: "HEAD", headers: { "accept-encoding": "gzip" } });
      expect([path, head.status, await head.text()]).toEqual([path, 200, ""]);
    }
  } finally {
    await server.close();
  }
});
