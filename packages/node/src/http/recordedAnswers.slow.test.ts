import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fromHex } from "@vedette/crypto";
import { sharedDirectory } from "@vedette/testing";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestQueries } from "../testing/TestQueries.js";
import { createAdminServer } from "./adminServer.js";
import { createHttpServer } from "./server.js";

interface RecordedAnswer {
  readonly id: string;
  readonly port: "public" | "admin";
  readonly method: string;
  readonly path: string;
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly requestBody: string | null;
  readonly response: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: string;
  };
}

const shared = sharedDirectory();
const note = shared === undefined ? " (skipped: ../shared is not there)" : "";
const validatorKey =
  "0408fa6246eb7211324b6c9da9fb2d05a5a5cc919da3aa6567e87b35d5c9c1a36b0f6f19a462629bb1111b8b6bfdceb7b36340dce31823cb20fedbcb454ccea804";

/** Programs whose answer the reference draws by lot: names made with its random key, and which of several data it takes. */
const drawnByLot = [/return!\(bundle\+/, /@"acc-0"!\(0\)/, /@v <- @"board-3"/];

/** Routes with a body of our own, and those that others serve. */
const others = [
  // The root has a route that the reference lacks.
  /^\/blocks$/,
  /^\/metrics$/,
  // Served by the events.
  /^\/ws\/events/,
];

function isCompared({ path, requestBody }: RecordedAnswer): boolean {
  if (others.some((pattern) => pattern.test(path))) return false;
  return !drawnByLot.some((pattern) => pattern.test(requestBody?.replaceAll('\\"', '"') ?? ""));
}

/** As the reference would have said it: without what we add (50 §8.7), members of descriptions in any order. */
function comparable(path: string, body: string): unknown {
  return path.endsWith("/openapi.json") ? JSON.parse(body) : body.replace(/,"syncStatus":\{.*\}\}$/, "}");
}

describe.skipIf(shared === undefined)(`recorded HTTP answers${note}`, () => {
  let recorded: TestQueries;
  const servers: FastifyInstance[] = [];
  const ports = { public: 0, admin: 0 };

  beforeAll(async () => {
    recorded = await TestQueries.recorded("solo");
    const queries = recorded.queries({ publicKey: fromHex(validatorKey), isInDevMode: true });
    servers.push(createHttpServer({ queries, metrics: async () => "", isReporting: true }), createAdminServer(queries));
    for (const server of servers) await server.listen({ host: "127.0.0.1", port: 0 });
    [ports.public, ports.admin] = servers.map(({ server }) => (server.address() as AddressInfo).port) as [
      number,
      number,
    ];
  }, 300_000);

  afterAll(async () => {
    for (const server of servers) await server.close();
    await recorded?.[Symbol.asyncDispose]();
  });

  for (const [index, recording] of (shared === undefined ? [] : recordedAnswers(shared)).entries()) {
    if (!isCompared(recording)) continue;
    const { port, method, path, requestBody, requestHeaders, response } = recording;
    test(`${index + 1}: ${method} ${path} ${requestBody?.slice(0, 60) ?? ""}`, async () => {
      const body = requestBody === null ? {} : { body: requestBody };
      // Whoever asks for compression gets other headers than from the reference, which has none.
      const headers = { "accept-encoding": "identity", ...requestHeaders };
      const answer = await fetch(`http://127.0.0.1:${ports[port]}${path}`, { method, headers, ...body });
      const told = [answer.status, comparable(path, await answer.text())];
      expect(told).toEqual([response.status, comparable(path, response.body)]);
      for (const [name, value] of Object.entries(response.headers ?? {}))
        if (!volatileHeaders.has(name.toLowerCase())) expect([name, answer.headers.get(name)]).toEqual([name, value]);
    });
  }
});

const volatileHeaders = new Set(["date", "content-length"]);

function recordedAnswers(directory: string): RecordedAnswer[] {
  return readFileSync(join(directory, "api", "solo.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}
