import { type AddressInfo, connect } from "node:net";
import type { GraphqlReply, IndexQueries, SqlAnswer, SqlRequest } from "@vedette/indexer";
import { expect, test } from "vitest";
import { createIndexServer } from "./indexServer.js";

/** The size of one answer: the kernel takes less of it. */
const answerBytes = 16 << 20;
const text = "x".repeat(answerBytes);
let asked = 0;
const queries = {
  graphql: async (): Promise<GraphqlReply> => {
    asked += 1;
    return { bytes: Buffer.from(text), isRefused: false, operation: "query" };
  },
  sql: async (): Promise<SqlAnswer> => {
    asked += 1;
    return { kind: "rows", columns: [], body: text, count: 1, isCut: false, knownSince: 0n };
  },
  onChange: () => () => {},
} as unknown as IndexQueries;

test.each([
  ["/graphql", `{"query":"{ a }"}`],
  ["/v2/sql", `{"query":"select 1","format":"csv"}`],
])("answers over HTTP that are not read have a bound for all connections together: %s", async (path, body) => {
  const server = createIndexServer(queries);
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const connections = () =>
    new Promise<number>((resolve) => server.server.getConnections((_, count) => resolve(count)));
  asked = 0;
  const clients = Array.from({ length: 8 }, () => {
    const client = connect(port, "127.0.0.1");
    client.on("error", () => {});
    client.pause();
    client.write(
      `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    return client;
  });
  try {
    await expect.poll(() => asked).toBe(clients.length);
    await expect.poll(connections).toBe(4);
  } finally {
    for (const client of clients) client.destroy();
    await server.close();
  }
});

test("integers of SQL are decimal texts, unless numbers are asked for", async () => {
  const forms: unknown[] = [];
  const sql = async ({ integers }: SqlRequest): Promise<SqlAnswer> => {
    forms.push(integers);
    return { kind: "rows", columns: [], body: "[]", count: 0, isCut: false, knownSince: 0n };
  };
  const server = createIndexServer({ ...queries, sql } as unknown as IndexQueries);
  for (const integers of [undefined, "text", "number"]) {
    const headers = { host: "localhost", "content-type": "application/json" };
    const payload = JSON.stringify({ query: "select 1", integers });
    const { statusCode } = await server.inject({ method: "POST", url: "/v2/sql", headers, payload });
    expect(statusCode).toBe(200);
  }
  expect(forms).toEqual(["text", "text", "number"]);
  await server.close();
});
