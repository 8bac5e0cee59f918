// Covers: api, queries, server
import type { AddressInfo } from "node:net";
import {
  type JsonValue,
  parseJson,
  printJson,
  type RouteContract,
  type RouteExample,
  readBySchema,
} from "@vedette/api";
import { TestQueries } from "@vedette/queries/testing";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHttpServer } from "./server.js";

describe(`examples of the API's description`, () => {
  let recorded: TestQueries;
  let server: FastifyInstance;
  let origin = "";

  beforeAll(async () => {
    recorded = await TestQueries.recorded("solo");
    server = createHttpServer({ queries: recorded.queries(), metrics: async () => "# none\n", isReporting: true });
    await server.listen({ host: "127.0.0.1", port: 0 });
    origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await server.close();
    await recorded[Symbol.asyncDispose]();
  });

  test("are answered on every path as they say, in the form that the contract says", async () => {
    let tried = 0;
    for (const contract of server.contracts) {
      if (contract.answer.type === "text/event-stream") continue;
      for (const path of contract.paths)
        for (const example of contract.examples) {
          await tryExample(origin, contract, path, example);
          tried++;
        }
    }
    expect(tried).toBeGreaterThan(40);
  });

  test("of the document stand where its readers look for them", async () => {
    const { paths } = (await (await fetch(`${origin}/openapi.json`)).json()) as { paths: Record<string, never> };
    expect(paths["/api/explore-deploy"]).toMatchObject({
      post: { requestBody: { content: { "text/plain": { examples: { "a-sum": { value: expect.any(String) } } } } } },
    });
    const depth = expect.objectContaining({ name: "depth", example: 3 });
    expect(paths["/blocks/{depth}"]).toMatchObject({ get: { parameters: expect.arrayContaining([depth]) } });
  });
});

async function tryExample(origin: string, contract: RouteContract, path: string, example: RouteExample) {
  const { method, name, answer: described } = contract;
  const url = new URL(
    path.replaceAll(/\{(\w+)\}/g, (_, part) => encodeURIComponent(example.params?.[part] ?? "")),
    origin,
  );
  for (const [key, values] of Object.entries(example.query ?? {}))
    for (const value of [values].flat()) url.searchParams.append(key, value);
  const body = bodyOf(contract, example.body);
  const response = await fetch(url, { method, body: body ?? null });
  const text = await response.text();
  const where = `${name} at ${path}: ${example.name}`;
  expect([where, response.status, text.slice(0, 200)]).toEqual([where, 200, text.slice(0, 200)]);
  expect([where, response.headers.get("content-type")?.split(";")[0]]).toEqual([
    where,
    described.type ?? "application/json",
  ]);
  if (described.type !== undefined && described.type !== "application/json") return;
  const json = parseJson(text);
  // An open description may have more members than it names.
  expect(() => readBySchema(described.schema, json, name === "openApi" ? "ignore" : "refuse"), where).not.toThrow();
  if (example.answer !== undefined) expect([where, text]).toEqual([where, printJson(example.answer)]);
}

function bodyOf({ body }: RouteContract, example: JsonValue | undefined): string | undefined {
  if (body === undefined || example === undefined) return undefined;
  return body.type === "text/plain" ? String(example) : printJson(example);
}
