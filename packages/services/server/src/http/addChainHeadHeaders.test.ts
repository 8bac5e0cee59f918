import type { AddressInfo } from "node:net";
import { ChainHead } from "@vedette/queries";
import { insertBlocks, TestQueries } from "@vedette/queries/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHttpServer } from "./server.js";

const node = TestQueries.empty();
const { hashes } = insertBlocks(node.chain);
const server = createHttpServer({ queries: node.queries(), metrics: async () => "" });
const here = `2;hash="${hashes.top}";finalized=0`;

/** Headers of a node that has no chain when a request comes. */
const young = TestQueries.empty();
young.head = new ChainHead(young.chain.dag, { waitMs: 60_000 });
const waiting = createHttpServer({ queries: young.queries(), metrics: async () => "" });

beforeAll(async () => {
  for (const one of [server, waiting]) await one.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  for (const one of [server, waiting]) await one.close();
});

function ask(path: string, headers: Record<string, string> = {}, of = server): Promise<Response> {
  const { port } = of.server.address() as AddressInfo;
  return fetch(`http://127.0.0.1:${port}${path}`, { headers });
}

describe("an answer", () => {
  test("names its block, whatever was asked, refusals too", async () => {
    for (const path of ["/status", "/api/blocks", "/api/block/00", "/v2/nothing", "/health/live", "/metrics"])
      expect([path, (await ask(path)).headers.get("vedette-block")]).toEqual([path, here]);
  });

  test("is of the block that was wanted, by header or query", async () => {
    expect((await ask("/api/blocks", { "vedette-min-block": "2" })).status).toBe(200);
    expect((await ask("/api/blocks?minBlock=2")).status).toBe(200);
    expect((await ask("/health/ready?minBlock=2")).headers.get("vedette-block")).toBe(here);
    // The query overrides the header.
    expect((await ask("/api/blocks?minBlock=1", { "vedette-min-block": "9" })).status).toBe(200);
  });

  test("is a refusal that may be repeated, in each route's form, where the node is not so far", async () => {
    const words = "This node is at block #2, and not at #3; repeat the request, or use another one.";
    const text = await ask("/api/blocks", { "vedette-min-block": "3" });
    expect([text.status, text.headers.get("retry-after"), text.headers.get("vedette-block")]).toEqual([503, "1", here]);
    expect(await text.json()).toBe(words);
    const problem = await ask("/health/ready?minBlock=3");
    expect(problem.status).toBe(503);
    expect(await problem.json()).toMatchObject({ status: 503, detail: words });
  });

  test("is a refusal where no height was given", async () => {
    for (const height of ["", "-1", "latest", "1.5", "9".repeat(16)]) {
      expect((await ask(`/health/ready?minBlock=${height}`)).status).toBe(400);
      if (height !== "") expect((await ask("/api/blocks", { "vedette-min-block": height })).status).toBe(400);
    }
    expect((await ask("/api/blocks?minBlock=1&minBlock=2")).status).toBe(400);
  });

  test("is waited for until the chain is there", async () => {
    expect((await ask("/health/live", {}, waiting)).headers.get("vedette-block")).toBeNull();
    const answer = ask("/health/live?minBlock=2", {}, waiting);
    let isAnswered = false;
    void answer.then(() => (isAnswered = true));
    await ask("/health/live", {}, waiting);
    expect(isAnswered).toBe(false);
    insertBlocks(young.chain);
    young.head.chainChanged();
    expect((await answer).status).toBe(200);
    expect((await answer).headers.get("vedette-block")).toBe(here);
  });
});
