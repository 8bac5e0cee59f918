import { toHex } from "@vedette/crypto";
import { type Checkpoint, createLightClient, type LightClient, proofOfStakeVault } from "@vedette/light";
import { TestQueries } from "@vedette/queries/testing";
import { ownChain } from "@vedette/testing";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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

describe("a light client of a node", () => {
  let node: TestQueries;
  let server: FastifyInstance;
  let client: LightClient;
  let checkpoint: Checkpoint;
  /** Changes an answer of the host `liar`. */
  let lie: (path: string, text: string) => string = (_, text) => text;

  const fetchHere: typeof fetch = async (url) => {
    const { host, pathname, search } = new URL(String(url));
    const { statusCode: status, body, headers } = await server.inject(pathname + search);
    const text = host === "liar" ? lie(pathname, body) : body;
    return new Response(text, { status, headers: { "content-type": String(headers["content-type"]) } });
  };
  const begin = (...hosts: readonly string[]) =>
    createLightClient({ checkpoint, servers: hosts.map((host) => `http://${host}`), fetch: fetchHere });

  beforeAll(async () => {
    node = await TestQueries.recorded(ownChain);
    server = createHttpServer({ queries: node.queries(), metrics: async () => "" });
    const { body } = await server.inject("/v2/light/checkpoint?blockNumber=0");
    checkpoint = { ...JSON.parse(body), thresholdPpm: 100_000 };
    client = await begin("node");
    await client.update();
  });
  afterAll(async () => {
    await server.close();
    await node[Symbol.asyncDispose]();
  });

  const deployed = () => {
    const { dag } = node.chain;
    const last = dag.lastFinalized()!;
    const blocksUp = Array.from({ length: Number(last.number) }, (_, at) => client.getMainChain(BigInt(at + 1)));
    return Promise.all(blocksUp).then((paths) => {
      const block = paths.map(({ value }) => value.at(-1)!).find(({ body }) => body.deploys.length > 0)!;
      return { block, processed: block.body.deploys[0]! };
    });
  };

  test("follows it to its last final block, and reads balances, data and deploys there", async () => {
    const last = node.chain.dag.lastFinalized()!;
    expect(toHex(client.trusted.hash)).toBe(toHex(last.hash));
    const stake = await client.getBalance(proofOfStakeVault);
    expect(stake.value).toBeGreaterThan(0n);
    expect(toHex(stake.block.hash)).toBe(toHex(last.hash));
    const unused = "1111Rhun7B8zMbtWwLETtKAS5WLHRaZFLHjY6KikfeBogCf4hVPPD";
    expect((await client.getBalance(unused)).value).toBe(0n);
    expect((await client.getData("an unused name")).value).toEqual([]);
    const { block, processed } = await deployed();
    const found = await client.getDeploy(processed.deploy.signature);
    expect(toHex(found.value.block.hash)).toBe(toHex(block.hash));
    expect(found.value.processed.cost).toBe(processed.cost);
    await expect(client.getDeploy(new Uint8Array(70))).rejects.toThrow(/no server gave a verified answer for deploy/);
  });

  test("finds a node out that lies in any part of an answer", async () => {
    const { processed } = await deployed();
    const { signature } = processed.deploy;
    const questions: Readonly<Record<string, (one: LightClient) => Promise<unknown>>> = {
      root: (one) => one.getBalance(proofOfStakeVault),
      channels: (one) => one.getBalance(proofOfStakeVault),
      nodes: (one) => one.getBalance(proofOfStakeVault),
      leaf: (one) => one.getBalance(proofOfStakeVault),
      kind: (one) => one.getData("a name"),
      blocks: (one) => one.getDeploy(signature),
    };
    for (const [field, ask] of Object.entries(questions)) {
      const one = await begin("liar", "node");
      await one.update();
      lie = (_, text) => {
        const answer = JSON.parse(text);
        const holder = field === "blocks" ? answer : (answer.proof ?? {});
        if (holder[field] !== undefined) holder[field] = altered(holder[field]);
        return JSON.stringify(answer);
      };
      expect(await ask(one), field).toMatchObject({ server: "http://node" });
      expect(one.servers[0], field).toMatchObject({ url: "http://liar", state: "wrong" });
      lie = (_, text) => text;
    }
  });

  test("gets blocks and paths that caches may keep for good, within bounds", async () => {
    const ask = (path: string) => server.inject(path);
    const { dag } = node.chain;
    const [genesis, final] = [toHex(dag.approvedBlock()!.hash), toHex(dag.lastFinalized()!.hash)];
    for (const path of [`path?from=${final}&to=${genesis}`, `path?from=${final}&number=1`]) {
      const { statusCode, headers } = await ask(`/v2/light/${path}`);
      expect([statusCode, headers["cache-control"]]).toEqual([200, "public, max-age=31536000, immutable"]);
    }
    const statuses = async (...paths: readonly string[]) =>
      Promise.all(paths.map(async (path) => (await ask(`/v2/light/${path}`)).statusCode));
    const unknown = "11".repeat(32);
    expect(
      await statuses(
        `path?from=${unknown}&number=1`,
        `path?from=${final}`,
        `path?from=${final}&to=${genesis}&number=1`,
        `path?from=${genesis}&to=${final}`,
        `deploy/3045?from=${final}`,
        "checkpoint?blockNumber=1000000",
      ),
    ).toEqual([404, 400, 400, 400, 404, 400]);
  });

  test("can begin at the checkpoint that the node gives", async () => {
    const { body } = await server.inject("/v2/light/checkpoint");
    checkpoint = JSON.parse(body);
    expect((await begin("node")).trusted.hash).toEqual(node.chain.dag.lastFinalized()!.hash);
  });
});

/** Another value of the same form. */
function altered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one, index) => (index === value.length - 1 ? altered(one) : one));
  if (value === "data") return "joins";
  const text = String(value);
  return text.slice(0, -1) + (text.endsWith("0") ? "1" : "0");
}
