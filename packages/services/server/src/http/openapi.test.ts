import type { AddressInfo } from "node:net";
import { Validator } from "@seriousme/openapi-schema-validator";
import { TestQueries } from "@vedette/queries/testing";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHttpServer } from "./server.js";

interface Description {
  readonly paths: { readonly [path: string]: { readonly [method: string]: { readonly operationId: string } } };
}

const node = TestQueries.empty();
const server: FastifyInstance = createHttpServer({ queries: node.queries(), metrics: async () => "" });
let origin = "";

beforeAll(async () => {
  await server.listen({ host: "127.0.0.1", port: 0 });
  origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

test("the description is a valid OpenAPI 3.1 document", async () => {
  const answer = await fetch(`${origin}/openapi.json`);
  expect(answer.headers.get("content-type")).toBe("application/json");
  const document = (await answer.json()) as { openapi: string };
  const { valid, errors } = await new Validator().validate({ ...document });
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  expect(document.openapi).toBe("3.1.0");
});

test("the description names every route, and nothing twice", async () => {
  const { paths } = (await (await fetch(`${origin}/openapi.json`)).json()) as Description;
  const names = new Set<string>();
  for (const [path, operations] of Object.entries(paths))
    for (const [method, { operationId }] of Object.entries(operations)) {
      expect(names.has(operationId)).toBe(false);
      names.add(operationId);
      const url = path.replaceAll(/\{(\w+)\}/g, ":$1");
      expect([path, server.hasRoute({ method: method.toUpperCase() as "GET", url })]).toEqual([path, true]);
    }
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(["/status", "/blocks", "/api/v1/status", "/health/ready"]));
});

test("pages show the description, with nothing from elsewhere", async () => {
  const page = await fetch(`${origin}/docs/`);
  const html = await page.text();
  expect([page.status, html.includes("swagger-ui")]).toEqual([200, true]);
  expect(html).toContain("<title>Vedette: HTTP API</title>");
  const policy = page.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("script-src 'self'");
  // Without TLS a browser would then load nothing.
  expect(policy).not.toContain("upgrade-insecure-requests");
  const sources = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => String(source));
  expect(sources.length).toBeGreaterThan(3);
  for (const source of sources) {
    expect(source).not.toMatch(/^(https?:)?\/\//);
    expect((await fetch(new URL(source, page.url))).status).toBe(200);
  }
  // The explorer's header, and no other product's.
  const added = sources.find((source) => source.endsWith("vedette.js"))!;
  expect(await (await fetch(new URL(added, page.url))).text()).toContain("/explorer/blocks");
  expect(await (await fetch(`${origin}/docs/static/swagger-initializer.js`)).text()).toContain("BaseLayout");
  const shown = (await (await fetch(`${origin}/docs/json`)).json()) as { info: { title: string } };
  expect(shown.info.title).toBe("Vedette");
});
