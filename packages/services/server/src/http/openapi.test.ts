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

test("one page shows every route of the description, with nothing from elsewhere", async () => {
  const page = await fetch(`${origin}/docs`);
  const html = await page.text();
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=UTF-8"]);
  expect(html).toContain("<title>API · Vedette</title>");
  // The explorer's header.
  expect(html).toContain('href="/explorer/blocks"');
  expect(page.headers.get("content-security-policy")).not.toMatch(/unsafe|https?:|\*|upgrade/);
  expect(html).not.toMatch(/<style|style=|<script(?![^>]*\bsrc=)|\bon\w+=/);
  const sources = [...html.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, source]) => source!);
  expect(sources.length).toBe(3);
  for (const source of sources) expect([source, (await fetch(origin + source)).status]).toEqual([source, 200]);
  const { paths } = (await (await fetch(`${origin}/openapi.json`)).json()) as Description;
  for (const operations of Object.values(paths))
    for (const { operationId } of Object.values(operations))
      expect(html).toContain(`id="${operationId.replace(/Alias\d*$/, "")}"`);
  for (const [, anchor] of html.matchAll(/ href="#([^"]+)"/g)) expect(html).toContain(` id="${anchor}"`);
  expect(/ id="([^"]+)"(?=[\s\S]* id="\1")/.exec(html)?.[1]).toBeUndefined();
  expect((await fetch(`${origin}/docs/`, { redirect: "manual" })).headers.get("location")).toBe("/docs");
});

test("page, style and script take 60 kB at most as they are sent", async () => {
  let bytes = 0;
  for (const url of ["/docs", "/docs/style.css", "/docs/script.js"]) {
    const { rawPayload } = await server.inject({ url, headers: { "accept-encoding": "gzip" } });
    bytes += rawPayload.length;
  }
  expect(bytes).toBeLessThan(60_000);
});
