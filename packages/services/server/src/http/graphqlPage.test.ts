import { TestQueries } from "@vedette/queries/testing";
import { afterAll, expect, test } from "vitest";
import { createHttpServer } from "./server.js";

const server = createHttpServer({ queries: TestQueries.empty().queries(), metrics: async () => "" });
afterAll(() => server.close());

test("on a node without an index /graphql says to people how to switch it on, and to programs that it is not there", async () => {
  const { statusCode, body, headers } = await server.inject({ url: "/graphql", headers: { accept: "text/html" } });
  expect([statusCode, headers["content-type"]]).toEqual([404, "text/html; charset=UTF-8"]);
  expect(body).toContain("--index");
  expect(body).toContain('href="/explorer/blocks"');
  expect(headers["content-security-policy"]).toContain("default-src 'none'");
  for (const url of ["/graphql", "/graphql?query={a}"])
    expect((await server.inject({ url, headers: { accept: "application/json" } })).body).toBe("Not found");
  expect((await server.inject({ method: "POST", url: "/graphql", payload: {} })).statusCode).toBe(404);
});
