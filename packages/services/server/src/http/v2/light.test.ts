import { toHex } from "@vedette/crypto";
import { TestQueries } from "@vedette/queries/testing";
import { ownChain } from "@vedette/testing";
import { expect, test } from "vitest";
import { createHttpServer } from "../server.js";

test("GET /v2/light/update answers what shows a newer block, and refuses with a reason", async () => {
  await using node = await TestQueries.recorded(ownChain);
  await using server = createHttpServer({ queries: node.queries(), metrics: async () => "" });
  const ask = async (query: string) => {
    const { statusCode, body } = await server.inject(`/v2/light/update?${query}`);
    return [statusCode, JSON.parse(body)] as const;
  };
  const { dag } = node.chain;
  const [genesis, final] = [dag.approvedBlock()!, dag.lastFinalized()!];
  const trusted = { blockHash: toHex(genesis.hash), blockNumber: 0 };
  const target = { blockHash: toHex(final.hash), blockNumber: Number(final.number) };
  const [status, update] = await ask(`trusted=${toHex(genesis.hash)}&thresholdPpm=100000`);
  expect([status, update]).toMatchObject([200, { trusted, target }]);
  expect(update.blocks.length).toBeGreaterThan(2);
  const nothing = await ask(`trusted=${toHex(final.hash)}&thresholdPpm=100000`);
  expect(nothing).toEqual([200, { trusted: target, target: null, blocks: [] }]);
  expect(await ask(`trusted=${"11".repeat(32)}`)).toMatchObject([404, { field: "query.trusted" }]);
  expect(await ask(`trusted=${toHex(genesis.hash)}&thresholdPpm=1000000`)).toMatchObject([
    400,
    { field: "query.thresholdPpm" },
  ]);
  expect(await ask("trusted=11")).toMatchObject([400, {}]);
  expect(await ask("")).toMatchObject([400, {}]);
});
