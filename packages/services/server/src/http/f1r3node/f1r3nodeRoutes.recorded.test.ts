import type { AddressInfo } from "node:net";
import { type JsonInput, parseJson, printJson, readBySchema } from "@vedette/api";
import { fromHex, toHex, vaultAddressOfPublicKey } from "@vedette/crypto";
import { f1r3node } from "@vedette/protocol";
import type { ApiQueries } from "@vedette/queries";
import { TestQueries } from "@vedette/queries/testing";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAdminServer } from "../adminServer.js";
import { createHttpServer } from "../server.js";

interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any form
  readonly json: any;
  readonly headers: Headers;
}

describe("HTTP on an f1r3node network", () => {
  let node: TestQueries;
  let queries: ApiQueries;
  const servers: FastifyInstance[] = [];
  let [origin, admin] = ["", ""];
  beforeAll(async () => {
    node = await TestQueries.recorded("solo-r", f1r3node);
    queries = node.queries();
    servers.push(createHttpServer({ queries, metrics: async () => "", isReporting: true }), createAdminServer(queries));
    const urls: string[] = [];
    for (const server of servers) {
      await server.listen({ host: "127.0.0.1", port: 0 });
      urls.push(`http://127.0.0.1:${(server.server.address() as AddressInfo).port}`);
    }
    [origin, admin] = urls as [string, string];
  });
  afterAll(async () => {
    for (const server of servers) await server.close();
    await node?.[Symbol.asyncDispose]();
  });

  async function ask(path: string, body?: unknown, at = origin): Promise<Reply> {
    const headers = { "content-type": "application/json" };
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const answer = await fetch(`${at}${path}`, body === undefined ? {} : { method: "POST", body: text, headers });
    return readReply(answer);
  }
  async function readReply(answer: Response): Promise<Reply> {
    const text = await answer.text();
    const isJson = answer.headers.get("content-type")?.includes("json") === true;
    return { status: answer.status, json: isJson ? JSON.parse(text) : text, headers: answer.headers };
  }
  const blockAt = (height: bigint) => {
    const [found] = node.chain.dag.blocksByHeight(height, height);
    return node.chain.dag.require(found!.hash);
  };
  const processedOf = (height: bigint) => queries.blocks.read(blockAt(height)).block.body.deploys;
  const busiest = () => {
    for (let height = 32n; height > 0n; height -= 1n) if (processedOf(height).length > 1) return height;
    throw new TypeError("no block has deploys");
  };

  test("every route of the contracts is answered as they say", async () => {
    let tried = 0;
    for (const contract of servers[0]!.contracts) {
      const { answer, examples, method, paths, body } = contract;
      if (contract.refusals !== "kind" || (answer.type ?? "application/json") !== "application/json") continue;
      for (const path of paths)
        for (const example of examples) {
          // The examples name a block of another chain.
          if (/blockHash|hash|deployId|signature/.test(printJson({ ...example }))) continue;
          const url = path.replaceAll(/\{(\w+)\}/g, (_, part) => encodeURIComponent(example.params?.[part] ?? ""));
          const sent = body?.type === "text/plain" ? String(example.body) : printJson(example.body ?? null);
          const headers = { "content-type": body?.type ?? "text/plain" };
          const response = await fetch(`${origin}${url}`, { method, body: body === undefined ? null : sent, headers });
          const text = await response.text();
          expect([path, response.status, text.slice(0, 300)]).toEqual([path, 200, text.slice(0, 300)]);
          expect(() => readBySchema(answer.schema, parseJson(text) as JsonInput, "refuse"), path).not.toThrow();
          tried += 1;
        }
    }
    expect(tried).toBeGreaterThan(30);
  });

  test("a block is returned in full or in short, its bytes in base 64, its deploys with what they moved", async () => {
    const height = busiest();
    const hash = toHex(blockAt(height).hash);
    const full = await ask(`/api/block/${hash}`);
    const short = await ask(`/api/block/${hash}?view=summary`);
    expect(full.status).toBe(200);
    expect(short.json).toEqual({ blockInfo: full.json.blockInfo });
    expect(Object.keys(full.json.blockInfo).at(-1)).toBe("isFinalized");
    const { extraBytes } = queries.blocks.read(blockAt(height)).block;
    expect(full.json.blockInfo.extraBytes).toBe(Buffer.from(extraBytes).toString("base64"));
    expect(full.json.deploys.map(({ sig }: { sig: string }) => sig)).toEqual(
      processedOf(height).map(({ deploy }) => toHex(deploy.signature)),
    );
    for (const { transfers } of full.json.deploys) expect(transfers).toBeInstanceOf(Array);
    expect((await ask(`/api/block/${hash}?view=other`)).json).toEqual(full.json);
    expect((await ask(`/block/${hash.slice(0, 10)}`)).json).toEqual(full.json);
    expect((await ask(`/api/v1/block/${hash}`)).json).toEqual(full.json);
  });

  test("transfers of deploys are those of the accounts", async () => {
    let moved = 0;
    const { json } = await ask("/api/blocks/0/40?view=full");
    for (const { deploys } of json)
      for (const { transfers } of deploys)
        for (const transfer of transfers) {
          expect(transfer).toEqual({
            ...{ fromAddr: expect.stringMatching(/^1111/), toAddr: expect.any(String), amount: expect.any(Number) },
            ...{ success: transfer.failReason === "", failReason: expect.any(String) },
          });
          moved += 1;
        }
    expect(moved).toBeGreaterThan(0);
  });

  test("deploys of genesis have what they moved out of their deployers' vaults", async () => {
    const { json } = await ask(`/api/block/${toHex(blockAt(0n).hash)}`);
    const own = json.deploys.map(({ deployer }: { deployer: string }) => vaultAddressOfPublicKey(fromHex(deployer)));
    let moved = 0;
    for (const [index, { transfers }] of json.deploys.entries())
      for (const { fromAddr } of transfers) {
        expect(fromAddr).toBe(own[index]);
        moved += 1;
      }
    expect(moved).toBeGreaterThan(0);
  });

  test("lists have blocks in members of their own, and are cut where too much is asked for", async () => {
    const { json: all } = await ask("/api/blocks/1000");
    expect(all.length).toBe(33);
    expect(Object.keys(all[0])).toEqual(["blockInfo"]);
    expect(all[0].blockInfo.blockNumber).toBe(32);
    expect((await ask("/api/blocks/-3")).json).toEqual([]);
    expect((await ask("/api/blocks/0/1000")).json.toReversed()).toEqual(all);
    expect((await ask("/api/blocks")).json).toEqual(all.slice(0, 1));
    const { json: full } = await ask("/api/blocks/2?view=full");
    expect(full.map((one: object) => Object.keys(one))).toEqual([
      ["blockInfo", "deploys"],
      ["blockInfo", "deploys"],
    ]);
    expect((await ask("/api/last-finalized-block?view=summary")).json).toEqual(all[0]);
  });

  test("a deploy is returned with its block, in full or in short", async () => {
    const height = busiest();
    const [{ deploy, cost, failed }] = processedOf(height) as [ReturnType<typeof processedOf>[number]];
    const id = toHex(deploy.signature);
    const { status, json } = await ask(`/api/deploy/${id}`);
    const short = {
      ...{ deployId: id, blockHash: toHex(blockAt(height).hash), blockNumber: Number(height) },
      ...{ timestamp: Number(queries.blocks.read(blockAt(height)).block.header.timestamp), cost: Number(cost) },
      ...{ errored: failed, isFinalized: true, finalizationState: failed ? "Pending" : "Finalized", rejectionCount: 0 },
    };
    expect([status, json]).toEqual([
      200,
      {
        ...short,
        ...{ deployer: toHex(deploy.deployer), term: deploy.term, systemDeployError: "", sigAlgorithm: "secp256k1" },
        ...{ phloPrice: Number(deploy.phloPrice), phloLimit: Number(deploy.phloLimit) },
        ...{ validAfterBlockNumber: Number(deploy.validAfterBlockNumber), transfers: expect.any(Array) },
      },
    ]);
    expect((await ask(`/api/deploy/${id}?view=summary`)).json).toEqual(short);
  });

  test("programs come as JSON, and their answers have their cost", async () => {
    const term = "new return in { return!(1 + 2) }";
    const { status, json } = await ask("/api/explore-deploy", { term });
    expect([status, json.expr, json.block.blockNumber]).toEqual([200, [{ ExprInt: { data: 3 } }], 32]);
    expect(json.cost).toBeGreaterThan(0);
    expect((await ask("/explore-deploy", term)).json).toEqual(json);
    expect((await ask("/api/v1/explore-deploy", { term })).json).toEqual(json);
    const hash = toHex(blockAt(3n).hash);
    const earlier = await ask("/api/explore-deploy-by-block-hash", { term, blockHash: hash });
    expect([earlier.json.block.blockHash, earlier.json.cost]).toEqual([hash, json.cost]);
  });

  test("a request that does not fit is answered with a word and a sentence, and a status of its own", async () => {
    const term = "new return in { return!(1) }";
    const at = (blockHash: string) => ["/api/explore-deploy-by-block-hash", { term, blockHash }] as const;
    const refused: readonly (readonly [number, string, string, unknown?])[] = [
      [400, "invalid_request_body", "/api/explore-deploy", term],
      [400, "invalid_request_body", "/api/explore-deploy", { program: term }],
      [400, "rholang_bad_term", "/api/explore-deploy", { term: "new x in {" }],
      [422, "rholang_execution_error", "/api/explore-deploy", { term: "new return in { return!(1 + {}) }" }],
      [422, "user_abort", "/api/explore-deploy", { term: "new abort(`rho:execution:abort`) in { abort!(1) }" }],
      [400, "invalid_hash", ...at("")],
      [400, "invalid_hash", ...at("no hash")],
      [404, "block_not_found", ...at("00".repeat(32))],
      [400, "invalid_hash", "/api/block/12"],
      [400, "invalid_hash", "/api/block/nothex00"],
      [404, "block_not_found", "/api/block/000000000000"],
      [404, "block_not_found", `/api/block/${"00".repeat(32)}`],
      [400, "invalid_path_parameter", "/api/blocks/many"],
      [400, "illegal_argument", "/api/blocks/9/3"],
      [400, "invalid_hash", "/api/deploy/nothex"],
      [404, "deploy_not_found", "/api/deploy/3045"],
      [400, "invalid_hash", "/api/is-finalized/nothex"],
      [400, "illegal_argument", "/api/balance/1111"],
      [400, "illegal_argument", "/api/validator/04ab"],
      [400, "illegal_argument", "/api/bond-status/04ab"],
      [404, "block_not_found", "/api/validators?block_hash=000000"],
      [400, "illegal_argument", "/api/deploy", deployOf("04ab")],
      [400, "invalid_request_body", "/api/deploy", { deployer: "04ab" }],
      [404, "endpoint_not_found", "/api/data-at-name", { name: { UnforgPrivate: { data: "00" } }, depth: 1 }],
      [404, "endpoint_not_found", `/api/transactions/${"00".repeat(32)}`],
      [404, "endpoint_not_found", "/nothing/here"],
      [405, "method_not_allowed", "/api/deploy"],
      [405, "method_not_allowed", "/api/validators", {}],
    ];
    for (const [status, kind, path, body] of refused) {
      const reply = await ask(path, body);
      expect([path, reply.status, reply.json.error]).toEqual([path, status, kind]);
      expect([path, Object.keys(reply.json), typeof reply.json.message]).toEqual([
        path,
        ["error", "message"],
        "string",
      ]);
    }
    expect((await ask("/v2/nothing")).json).toMatchObject({ status: 404, title: "Not Found" });
  });

  test("status is the same at both places, with what f1r3node reports", async () => {
    const { json } = await ask("/api/status");
    expect(json).toMatchObject({
      version: { api: "1" },
      lastFinalizedBlockNumber: 48,
      isReadOnly: true,
      epochLength: 10,
    });
    expect((await ask("/status")).json).toEqual(json);
    expect((await ask("/api/prepare-deploy")).json).toEqual({ names: [], seqNumber: -1 });
  });

  test("accounts, validators and epochs are returned for any block", async () => {
    const [last, third] = [blockAt(32n), blockAt(3n)];
    const place = { blockNumber: 32, blockHash: toHex(last.hash) };
    const address = "1111R4PGFk5wHNzjx8VzEHZG7Z4ikxcCgH9RMaM441gi8LfQohYG2";
    const { json: balance } = await ask(`/api/balance/${address}`);
    const [expected] = (await queries.balances.balances([address], toHex(last.hash), new AbortController().signal))
      .balances;
    expect(balance).toEqual({ address, balance: Number(expected), ...place });
    expect(expected).toBeGreaterThan(0n);
    const first = blockAt(0n);
    expect((await ask(`/api/balance/${address}?block_hash=${toHex(first.hash)}`)).json).toEqual({
      ...{ address, balance: 50000000000000000, blockNumber: 0, blockHash: toHex(first.hash) },
    });
    const { json: validators } = await ask("/api/validators");
    const bonds = queries.blocks.read(last).block.body.state.bonds;
    expect(validators).toEqual({
      validators: bonds.map(({ validator, stake }) => ({ publicKey: toHex(validator), stake: Number(stake) })),
      totalStake: Number(bonds.reduce((sum, { stake }) => sum + stake, 0n)),
      ...place,
    });
    const { publicKey, stake } = validators.validators[0];
    expect((await ask(`/api/validator/${publicKey}`)).json).toEqual({ publicKey, isBonded: true, stake, ...place });
    expect((await ask(`/api/bond-status/${publicKey}`)).json).toEqual({ publicKey, isBonded: true });
    const stranger = toHex(processedOf(busiest())[0]!.deploy.deployer);
    expect((await ask(`/api/validator/${stranger}`)).json).toEqual({
      ...{ publicKey: stranger, isBonded: false, stake: null, ...place },
    });
    expect((await ask("/api/epoch")).json).toEqual({
      ...{ currentEpoch: 3, epochLength: 10, quarantineLength: 10, blocksUntilNextEpoch: 8 },
      ...{ lastFinalizedBlockNumber: 32, blockHash: place.blockHash },
    });
    expect((await ask(`/api/epoch?block_hash=${toHex(third.hash).slice(0, 12)}`)).json).toMatchObject({
      ...{ currentEpoch: 0, blocksUntilNextEpoch: 7, lastFinalizedBlockNumber: 3, blockHash: toHex(third.hash) },
    });
    const { json: rewards } = await ask("/api/epoch/rewards");
    expect(rewards).toEqual({ rewards: { ExprMap: { data: expect.any(Object) } }, ...place });
    expect(Object.keys(rewards.rewards.ExprMap.data)).toContain(publicKey);
    const { json: registered } = await ask("/api/registry/rho:system:pos");
    expect(registered).toMatchObject({ uri: "rho:system:pos", data: [expect.any(Object)], ...place });
    expect((await ask("/api/registry/rho:id:nothing")).json).toMatchObject({ data: [] });
  });

  test("data on a name is returned for a block, and nothing where the block did not touch it", async () => {
    const height = busiest();
    const blockHash = toHex(blockAt(height).hash);
    const name = { UnforgDeploy: { data: toHex(processedOf(height)[0]!.deploy.signature) } };
    const { status, json } = await ask("/api/data-at-name-by-block-hash", { name, blockHash });
    expect([status, json.block.blockHash, json.cost]).toEqual([200, blockHash, 0]);
    const nothing = await ask("/api/data-at-name-by-block-hash", {
      ...{ name: { UnforgPrivate: { data: "00".repeat(32) } }, blockHash, usePreStateHash: true },
    });
    expect([nothing.status, nothing.json.expr]).toEqual([200, []]);
  });

  test("a validator reports of blocks in dev mode alone", async () => {
    const { hash, postStateHash } = blockAt(3n);
    const role = { publicKey: queries.blocks.read(blockAt(3n)).block.sender, isReporting: true };
    await expect(node.queries(role).reports.text(hash, false)).rejects.toThrow("read-only");
    const report = await node.queries({ ...role, isInDevMode: true }).reports.text(hash, false);
    expect(report.members).toContain(`"post-state-hash":"${toHex(postStateHash)}"`);
  });

  test("a body of JSON has to be called so below /api, and a program as text is refused there", async () => {
    const program = "new return in { return!(1) }";
    const json = JSON.stringify({ term: program });
    const send = async (path: string, body: string, type: string) =>
      readReply(await fetch(`${origin}${path}`, { method: "POST", body, headers: { "content-type": type } }));
    for (const path of ["/api/explore-deploy", "/api/v1/explore-deploy", "/api/estimate-cost", "/api/deploy"])
      for (const type of ["text/plain", "text/plain; charset=utf-8", "application/octet-stream"])
        for (const body of [program, json])
          expect(await send(path, body, type)).toMatchObject({ status: 415, json: { error: "invalid_request_body" } });
    for (const type of ["application/json", "Application/JSON; charset=utf-8", "application/ld+json"])
      expect((await send("/api/explore-deploy", json, type)).json.expr).toEqual([{ ExprInt: { data: 1 } }]);
    // Ours, without /api, takes what it always took.
    for (const body of [program, json])
      expect((await send("/explore-deploy", body, "text/plain")).json.expr).toEqual([{ ExprInt: { data: 1 } }]);
  });

  test("any page may read, by any method", async () => {
    const headers = { origin: "http://elsewhere", "access-control-request-method": "POST" };
    const before = await fetch(`${origin}/api/deploy`, { method: "OPTIONS", headers });
    expect([before.status, before.headers.get("access-control-allow-methods")]).toEqual([200, "*"]);
    for (const path of ["/api/status", "/api/block/12", "/nothing"])
      expect((await ask(path)).headers.get("access-control-allow-origin")).toBe("*");
  });

  test("the operator's routes refuse in the same way", async () => {
    expect(await ask("/api/propose", "", admin)).toMatchObject({
      ...{ status: 400, json: { error: "readonly_node_required" } },
    });
    expect(await ask("/api/v1/status", undefined, admin)).toMatchObject({ status: 200 });
  });

  test("the description is that of these routes", async () => {
    const { json } = await ask("/api-docs/openapi.json");
    expect(Object.keys(json.paths)).toEqual(expect.arrayContaining(["/api/epoch/rewards", "/api/balance/{address}"]));
    expect(json.paths["/api/data-at-name"]).toBeUndefined();
    expect((await fetch(`${origin}/swagger-ui`)).url).toContain("/docs");
  });
});

function deployOf(deployer: string) {
  const data = { term: "Nil", timestamp: 1, phloPrice: 1, phloLimit: 1, validAfterBlockNumber: 0, shardId: "root" };
  return { data, deployer, signature: "3045", sigAlgorithm: "secp256k1" };
}
