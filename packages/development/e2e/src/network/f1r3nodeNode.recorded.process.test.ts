import { usualCases } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { RecordedNetwork, untilSynced } from "./recordedNetwork.js";

describe("f1r3node networks", () => {
  test.each(
    usualCases([
      ["solo-r", 32n],
      ["trio-r", 10n],
    ] as const),
  )("an observer replays %s from genesis, and ends where the recording does", async (chain, height) => {
    await using network = new RecordedNetwork(chain);
    const server = await network.serve();
    const observer = await network.observer("replayAll", "observer");
    await untilSynced(observer, server);
    const { lastFinalizedBlockNumber, isReady, isValidator } = JSON.parse(await observer.get("/api/status"));
    expect([isReady, isValidator]).toEqual([true, false]);
    expect(lastFinalizedBlockNumber).toBeGreaterThan(0);
    expect(lastFinalizedBlockNumber).toBe(JSON.parse(await server.get("/api/status")).lastFinalizedBlockNumber);
    expect(BigInt(JSON.parse(await observer.get("/api/blocks/1"))[0].blockInfo.blockNumber)).toBe(height);
    const term = "new return in { return!(1 + 2) }";
    const answer = JSON.parse(await observer.post("/api/explore-deploy", JSON.stringify({ term })));
    expect(answer).toMatchObject({ expr: [{ ExprInt: { data: 3 } }], cost: expect.any(Number) });
    await expectF1r3nodeRoutes(observer);
  });
});

/** The answers and refusals of f1r3node's routes. @spec 50 §10.2 to §10.5 */
async function expectF1r3nodeRoutes(node: { get(path: string): Promise<string> }): Promise<void> {
  const read = async (path: string) => JSON.parse(await node.get(path));
  const full = await read("/api/last-finalized-block");
  const { blockInfo } = await read("/api/last-finalized-block?view=summary");
  expect([full.blockInfo, typeof full.deploys]).toEqual([blockInfo, "object"]);
  const { validators, totalStake, blockHash } = await read(`/api/validators?block_hash=${blockInfo.blockHash}`);
  expect([validators.length, blockHash]).toEqual([blockInfo.bonds.length, blockInfo.blockHash]);
  expect(totalStake).toBe(blockInfo.bonds.reduce((sum: number, { stake }: { stake: number }) => sum + stake, 0));
  const { publicKey, stake } = validators[0];
  expect(await read(`/api/validator/${publicKey}`)).toMatchObject({ isBonded: true, stake });
  expect(await read("/api/epoch/rewards")).toMatchObject({ rewards: { ExprMap: { data: expect.any(Object) } } });
  type Full = { readonly blockInfo: { blockHash: string }; readonly deploys: readonly Record<string, unknown>[] }[];
  const blocks = (): Promise<Full> => read("/api/blocks/0/50?view=full");
  const lacking = async () =>
    (await blocks()).flatMap(({ deploys }) => deploys).filter((deploy) => !deploy["transfers"]);
  // Their transfers are left out as long as they are unknown.
  await expect.poll(lacking).toEqual([]);
  for (const { blockInfo: block, deploys } of await blocks())
    for (const { sig, cost, transfers } of deploys.slice(0, 1)) {
      const deploy = await read(`/api/deploy/${sig}`);
      expect(deploy).toMatchObject({ deployId: sig, finalizationState: expect.any(String), transfers });
      if (deploy.blockHash === block.blockHash) expect(deploy.cost).toBe(cost);
    }
  expect(await read("/api/deploy/3045")).toMatchObject({ error: "deploy_not_found", message: expect.any(String) });
  expect(await read("/api/transactions/00")).toMatchObject({ error: "endpoint_not_found" });
}
