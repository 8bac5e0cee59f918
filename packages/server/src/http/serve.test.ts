import { balancesRoute, deployFinalizationRoute } from "@vedette/api";
import { expect, test } from "vitest";
import { bareServer } from "./bareServer.js";
import { contractsOf, serve } from "./serve.js";

const path = "/api/deploy-finalization-status/00";

test("a handler answers what its contract says", async () => {
  const server = bareServer("public");
  const answer = { state: "Pending", rejection_count: 0, latest_block_hash: null } as const;
  serve(server, deployFinalizationRoute, () => answer);
  const { statusCode, payload } = await server.inject(path);
  expect([statusCode, payload]).toEqual([200, '{"state":"Pending","rejection_count":0,"latest_block_hash":null}']);
  await server.close();
});

test("a handler that answers another shape does not compile", async () => {
  await using server = bareServer("public");
  const latest_block_hash = "00".repeat(32);
  const lacking = { state: "Finalized", rejection_count: 1 } as const;
  const unnamed = { state: "?", rejection_count: 1, latest_block_hash } as const;
  const block = { blockHash: latest_block_hash, blockNumber: 1n };
  const narrow = { block, root: "", balances: [{ address: "", balance: 1 }] };
  const wrong = [
    // @ts-expect-error a member is missing
    () => serve(server, deployFinalizationRoute, () => lacking),
    // @ts-expect-error a word that the contract does not name
    () => serve(server, deployFinalizationRoute, () => unnamed),
    // @ts-expect-error a number where one of 64 bits stands, deep down, from a promise
    () => serve(server, balancesRoute, async () => narrow),
    // @ts-expect-error a text where a list stands
    () => serve(server, balancesRoute, () => ({ block, root: "", balances: "" })),
    // @ts-expect-error another form altogether
    () => serve(server, balancesRoute, () => "none"),
  ];
  expect(wrong).toHaveLength(5);
  const right = { block, root: "", balances: [{ address: "", balance: 1n }] };
  serve(server, balancesRoute, () => right);
  expect(contractsOf(server)).toContain(balancesRoute);
});
