import type { AddressInfo } from "node:net";
import { toHex } from "@vedette/crypto";
import type { ApiQueries } from "@vedette/queries";
import { TestQueries } from "@vedette/queries/testing";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHttpServer } from "./server.js";

describe("what f1r3node's clients ask for, on an rnode network", () => {
  let node: TestQueries;
  let queries: ApiQueries;
  let validator: FastifyInstance;
  let server: FastifyInstance;
  beforeAll(async () => {
    node = await TestQueries.recorded("solo");
    queries = node.queries();
    server = createHttpServer({ queries, metrics: async () => "" });
    const publicKey = lastBlock().sender;
    validator = createHttpServer({ queries: node.queries({ publicKey }), metrics: async () => "" });
    for (const one of [server, validator]) await one.listen({ host: "127.0.0.1", port: 0 });
  });
  afterAll(async () => {
    for (const one of [server, validator]) await one.close();
    await node?.[Symbol.asyncDispose]();
  });

  const lastBlock = () => queries.blocks.read(queries.blocks.requireLastFinalized()).block;
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any form
  async function ask(path: string, at = server): Promise<{ readonly status: number; readonly json: any }> {
    const answer = await fetch(`http://127.0.0.1:${(at.server.address() as AddressInfo).port}${path}`);
    return { status: answer.status, json: JSON.parse(await answer.text()) };
  }
  const place = () => ({ blockNumber: Number(lastBlock().number), blockHash: toHex(lastBlock().hash) });

  test("validators and their stakes are returned, with and without /api", async () => {
    const { bonds } = lastBlock().body.state;
    const validators = bonds.map(({ validator: key, stake }) => ({ publicKey: toHex(key), stake: Number(stake) }));
    const { status, json } = await ask("/api/validators");
    expect(status).toBe(200);
    expect(json).toEqual({
      validators,
      totalStake: Number(bonds.reduce((sum, { stake }) => sum + stake, 0n)),
      ...place(),
    });
    expect((await ask("/validators", validator)).json).toEqual(json);
    const [{ publicKey, stake }] = validators as [(typeof validators)[number]];
    expect((await ask(`/api/validator/${publicKey}`)).json).toEqual({ publicKey, isBonded: true, stake, ...place() });
    expect((await ask(`/api/bond-status/${publicKey}`)).json).toEqual({ publicKey, isBonded: true });
    expect((await ask(`/bond-status/04${"11".repeat(64)}`)).json).toMatchObject({ isBonded: false });
  });

  test("so are epochs, what they earn, and a vault's balance", async () => {
    const number = Number(lastBlock().number);
    const { json: epoch } = await ask("/api/epoch");
    expect(epoch).toEqual({
      ...{ currentEpoch: Math.floor(number / 10), epochLength: 10, quarantineLength: 10 },
      ...{ blocksUntilNextEpoch: 10 - (number % 10), lastFinalizedBlockNumber: number, blockHash: place().blockHash },
    });
    const { json: rewards } = await ask("/api/epoch/rewards");
    expect(rewards).toEqual({ rewards: { ExprMap: { data: expect.any(Object) } }, ...place() });
    const address = "1111AtahZeefej4tvVR6ti9TJtv8yxLebT31SCEVDCKMNikBk5r3g";
    const [expected] = (await queries.balances.balances([address], place().blockHash, new AbortController().signal))
      .balances;
    expect((await ask(`/api/balance/${address}`)).json).toEqual({ address, balance: Number(expected), ...place() });
  });

  test("so is what is registered, by nodes that are no validators", async () => {
    const { json } = await ask("/api/registry/rho:rchain:pos");
    expect(json).toMatchObject({ uri: "rho:rchain:pos", data: [expect.any(Object)], ...place() });
    expect((await ask("/registry/rho:id:nothing")).json).toMatchObject({ data: [] });
    const refused = await ask("/api/registry/rho:rchain:pos", validator);
    expect(refused).toMatchObject({ status: 400, json: { error: "readonly_node_required" } });
  });

  test("what cannot be is refused in that node's words", async () => {
    const refused: readonly (readonly [status: number, kind: string, path: string])[] = [
      [400, "illegal_argument", "/api/balance/1111"],
      [400, "illegal_argument", "/api/validator/04ab"],
      [400, "illegal_argument", "/api/bond-status/xyz"],
      [404, "block_not_found", "/api/validators?block_hash=000000"],
      [400, "invalid_hash", "/api/epoch?block_hash=xyz"],
    ];
    for (const [status, kind, path] of refused)
      expect([path, await ask(path)]).toMatchObject([path, { status, json: { error: kind } }]);
  });
});
