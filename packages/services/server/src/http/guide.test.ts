import type { AddressInfo } from "node:net";
import { TestQueries } from "@vedette/queries/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHttpServer } from "./server.js";

const server = createHttpServer({ queries: TestQueries.empty().queries(), metrics: async () => "" });
let origin: string;

beforeAll(async () => {
  await server.listen({ host: "127.0.0.1", port: 0 });
  origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

test("the guide's index leads to pages, with the one style sheet and the script that applies the chosen colours", async () => {
  const index = await fetch(`${origin}/guide`);
  expect([index.status, index.url]).toEqual([200, `${origin}/guide/`]);
  expect(index.headers.get("content-type")).toBe("text/html; charset=UTF-8");
  expect(index.headers.get("content-security-policy")).toBe(
    "default-src 'none'; style-src 'self'; font-src 'self'; script-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  );
  const links = [...(await index.text()).matchAll(/ href="([^"#]+)"/g)].map(
    ([, href]) => new URL(href!, index.url).href,
  );
  expect(links.length).toBeGreaterThan(20);
  for (const link of new Set(links.filter((one) => one.startsWith(`${origin}/guide/`)))) {
    const { status, headers } = await fetch(link);
    expect([link, status]).toEqual([link, 200]);
    expect(headers.get("content-type")).toMatch(link.endsWith(".css") ? /^text\/css/ : /^text\/html/);
  }
});

test("the script of pages applies the colours that the reader chose in the explorer", async () => {
  const script = await fetch(`${origin}/guide/frame.js`);
  expect(script.headers.get("content-type")).toBe("text/javascript; charset=UTF-8");
  expect(await script.text()).toContain("vedette-theme");
});

test("a page that is known is not sent twice", async () => {
  const first = await fetch(`${origin}/guide/how-to/dev`);
  const again = await fetch(`${origin}/guide/how-to/dev`, { headers: { "if-none-match": first.headers.get("etag")! } });
  expect([first.status, again.status]).toEqual([200, 304]);
});

test("an address without a document has a page that leads on, for browsers", async () => {
  const { status } = await fetch(`${origin}/guide/how-to/none`);
  expect(status).toBe(404);
  const answer = await fetch(`${origin}/guide/how-to/%22%3E<b>none`, { headers: { accept: "text/html" } });
  const text = await answer.text();
  expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "text/html; charset=UTF-8"]);
  expect(text).toContain("<h1>No such document</h1>");
  expect(text).not.toContain("<b>");
  expect(new URL(/href="([^"]+)">All documents/.exec(text)![1]!, answer.url).href).toBe(`${origin}/guide/`);
  expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
});
