import { setImmediate as turn } from "node:timers/promises";
import { balancesRoute, deployFinalizationRoute } from "@vedette/api";
import { expect, test } from "vitest";
import { bareServer } from "./bareServer.js";
import { rnodeHttpConventions } from "./conventions/rnodeHttpConventions.js";
import { contractsOf, serve } from "./serve.js";

const path = "/api/deploy-finalization-status/00";

test("a handler answers what its contract says", async () => {
  const server = bareServer("public", rnodeHttpConventions);
  const answer = { state: "Pending", rejection_count: 0, latest_block_hash: null } as const;
  serve(server, deployFinalizationRoute, () => answer);
  const { statusCode, payload } = await server.inject(path);
  expect([statusCode, payload]).toEqual([200, '{"state":"Pending","rejection_count":0,"latest_block_hash":null}']);
  await server.close();
});

const texts = {
  "one long text": ["\u{1f600}".repeat(1_500_000)],
  "many texts": Array(30).fill("\u{1f600}".repeat(50_000)),
};

test.each(Object.entries(texts))("an answer with %s is printed in turns with other work", async (_, addresses) => {
  await using server = bareServer("public", rnodeHttpConventions);
  const block = { blockHash: "00".repeat(32), blockNumber: 1n };
  const balances = addresses.map((address) => ({ address, balance: 1n }));
  serve(server, balancesRoute, () => ({ block, root: "", balances }));
  let turns = 0;
  let isAnswered = false;
  const answered = server
    .inject({ method: "POST", url: "/v2/balances", payload: { addresses: ["a"] } })
    .then((found) => {
      isAnswered = true;
      return found;
    });
  while (!isAnswered) {
    await turn();
    turns += 1;
  }
  const { balances: found } = (await answered).json<{ balances: { address: string }[] }>();
  expect(found.map(({ address }) => address)).toEqual(addresses);
  expect(turns).toBeGreaterThan(5);
});

test("answers with long texts are printed one at a time, in turns by client, and so many of one client wait", async () => {
  await using server = bareServer("public", rnodeHttpConventions);
  const answer = { state: "Pending", rejection_count: 0, latest_block_hash: "a".repeat(600_000) } as const;
  serve(server, deployFinalizationRoute, () => answer);
  const order: string[] = [];
  const ask = async (remoteAddress: string) => {
    const { statusCode } = await server.inject({ url: path, remoteAddress });
    order.push(`${remoteAddress} ${statusCode}`);
  };
  await server.ready();
  const busy = Array.from({ length: 20 }, () => ask("10.0.0.1"));
  await Promise.all([...busy, ask("10.0.0.2")]);
  const answered = order.filter((one) => one.endsWith("200"));
  expect(answered).toHaveLength(17);
  expect(answered.indexOf("10.0.0.2 200")).toBeLessThan(3);
  expect(order.filter((one) => one === "10.0.0.1 429")).toHaveLength(4);
});

test("a handler that answers another shape does not compile", async () => {
  await using server = bareServer("public", rnodeHttpConventions);
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
    // @ts-expect-error a number in place of one of 64 bits, deep down, from a promise
    () => serve(server, balancesRoute, async () => narrow),
    // @ts-expect-error a text in place of a list
    () => serve(server, balancesRoute, () => ({ block, root: "", balances: "" })),
    // @ts-expect-error another form altogether
    () => serve(server, balancesRoute, () => "none"),
  ];
  expect(wrong).toHaveLength(5);
  const right = { block, root: "", balances: [{ address: "", balance: 1n }] };
  serve(server, balancesRoute, () => right);
  expect(contractsOf(server)).toContain(balancesRoute);
});
