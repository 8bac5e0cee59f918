import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemNames } from "@vedette/client";
import { toHex } from "@vedette/crypto";
import { type Checkpoint, createLightClient, proofOfStakeVault } from "@vedette/light";
import { VerifiedExplorer } from "@vedette/light/explore";
import { TestQueries } from "@vedette/queries/testing";
import { createHttpServer } from "@vedette/server";
import { ownChain, until } from "@vedette/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkpoint } from "./checkpointAnswer.js";
import { createLightApi } from "./createLightApi.js";
import { runLight } from "./runLight.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-light-"));
const file = join(folder, "checkpoint.json");
const { signal } = new AbortController();
let node: TestQueries;
let server: ReturnType<typeof createHttpServer>;
let url: string;

beforeAll(async () => {
  node = await TestQueries.recorded(ownChain);
  server = createHttpServer({ queries: node.queries(), metrics: async () => "" });
  await server.listen({ host: "127.0.0.1", port: 0 });
  url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await server.close();
  await node[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

async function genesisCheckpoint(): Promise<Checkpoint> {
  const { json } = await checkpoint([url], 0, signal);
  return { ...(json as unknown as Checkpoint), thresholdPpm: 100_000 };
}

test("`vedette checkpoint` prints what several nodes agree on, and refuses where they differ", async () => {
  const { text, json, exitCode } = await checkpoint([url, `${url}/`], undefined, signal);
  const last = node.chain.dag.lastFinalized()!;
  expect(JSON.parse(text)).toEqual(json);
  expect([json, exitCode]).toMatchObject([
    { blockHash: toHex(last.hash), blockNumber: Number(last.number) },
    undefined,
  ]);
  const other = createHttpServer({ queries: node.queries(), metrics: async () => "" });
  other.addHook("onSend", async (_request, _reply, body) => String(body).replaceAll(toHex(last.hash), "11".repeat(32)));
  await other.listen({ host: "127.0.0.1", port: 0 });
  const otherUrl = `http://127.0.0.1:${(other.server.address() as AddressInfo).port}`;
  const differing = await checkpoint([url, otherUrl], undefined, signal);
  await other.close();
  expect(differing).toMatchObject({ exitCode: 1, json: { differing: ["blockHash"] } });
  expect(differing.text).toMatch(/differ in blockHash at height \d+/);
});

test("the read API answers from verified data alone", async () => {
  const client = await createLightClient({ checkpoint: await genesisCheckpoint(), servers: [url] });
  await client.update();
  await using api = createLightApi(client);
  const ask = async (path: string) => {
    const { statusCode, body } = await api.inject(path);
    return [statusCode, JSON.parse(body)] as const;
  };
  const truth = async (path: string) => JSON.parse((await server.inject(path)).body);
  const hash = toHex(client.trusted.hash);
  expect(await ask("/status")).toMatchObject([
    200,
    { syncStatus: { finalizedBlockNumber: Number(client.trusted.number) } },
  ]);
  const comparable = ({ faultTolerance, justifications, blockSize, ...block }: Record<string, unknown>) => block;
  for (const path of ["/last-finalized-block", `/block/${hash}`]) {
    const [status, { blockInfo, deploys }] = await ask(path);
    const right = await truth(path);
    expect([status, comparable(blockInfo), deploys]).toEqual([200, comparable(right.blockInfo), right.deploys]);
  }
  const [, blocks] = await ask("/blocks/3");
  expect(blocks.map(({ blockNumber }: { blockNumber: number }) => blockNumber)).toEqual(
    [0, 1, 2].map((below) => Number(client.trusted.number) - below),
  );
  expect(await ask(`/is-finalized/${hash}`)).toEqual([200, true]);
  expect(await ask(`/is-finalized/${"11".repeat(32)}`)).toMatchObject([400, /Not verified/]);
  const balances = await api.inject({
    method: "POST",
    url: "/v2/balances",
    payload: { addresses: [proofOfStakeVault] },
  });
  const direct = await server.inject({
    method: "POST",
    url: "/v2/balances",
    payload: { addresses: [proofOfStakeVault], block: hash },
  });
  expect(balances.json()).toEqual(direct.json());
});

const programs = [
  'new return in { return!(1 + 2, [3], {"a": Nil}) }',
  `new return, lookup(\`rho:registry:lookup\`), vault in {
    lookup!(\`${systemNames.rnode.vaults}\`, *vault) |
    for (@(_, RevVault) <- vault) { new balance in {
      @RevVault!("findOrCreate", "${proofOfStakeVault}", *balance) |
      for (@(true, found) <- balance) { @found!("balance", *return) } } } }`,
  "new return in { return!(1) | return!(2) } |",
  "new return in { return!(1 / 0) }",
];

test.each(programs)("programs run here on the verified state, as the node runs them: %s", async (term) => {
  const client = await createLightClient({ checkpoint: await genesisCheckpoint(), servers: [url] });
  await client.update();
  await using api = createLightApi(client);
  const payload = { term, blockHash: toHex(client.trusted.hash), usePreStateHash: false };
  const request = { method: "POST", url: "/api/explore-deploy-by-block-hash", payload } as const;
  const [here, there] = await Promise.all([api.inject(request), server.inject(request)]);
  expect([here.statusCode, here.json().expr ?? here.body]).toEqual([there.statusCode, there.json().expr ?? there.body]);
  if (term.includes("lookup")) expect(here.json().expr).toEqual([{ ExprInt: { data: expect.any(Number) } }]);
  const { cost } = (await server.inject({ method: "POST", url: "/v2/explore", payload: { term } })).json();
  const options = { phloLimit: 100_000_000n };
  if (cost !== null) expect((await new VerifiedExplorer(client).explore(term, options)).result.cost).toBe(BigInt(cost));
  const direct = await api.inject({ method: "POST", url: "/api/explore-deploy", payload: term });
  expect(direct.body).toBe(here.body);
  const other = { ...payload, blockHash: "11".repeat(32) };
  expect(await api.inject({ ...request, payload: other })).toMatchObject({ statusCode: 400 });
});

test("entries of the registry are those of the node, and unverified ones are not reported as absent", async () => {
  const client = await createLightClient({ checkpoint: await genesisCheckpoint(), servers: [url] });
  await client.update();
  await using api = createLightApi(client);
  const hash = toHex(client.trusted.hash);
  for (const uri of [systemNames.rnode.proofOfStake, "rho:lang:treeHashMap", "rho:id:none"]) {
    const path = `/api/registry/${uri}?block_hash=${hash}`;
    const [here, there] = await Promise.all([api.inject(path), server.inject(path)]);
    expect([here.statusCode, here.json()]).toEqual([200, there.json()]);
    expect(here.json().data.length).toBe(uri === "rho:id:none" ? 0 : 1);
  }
  expect((await api.inject(`/registry/rho:id:none?block_hash=${"11".repeat(32)}`)).statusCode).toBe(400);
  expect((await api.inject("/registry/%60")).statusCode).toBe(400);
  const gone = await createLightClient({ checkpoint: client.checkpoint, servers: [url], fetch: withoutPieces });
  await using other = createLightApi(gone);
  expect(await other.inject("/registry/rho:id:none")).toMatchObject({
    statusCode: 400,
    body: expect.stringMatching(/Not verified/),
  });
});

const withoutPieces: typeof fetch = (request, init) =>
  /pieces|registry/.test(String(request)) ? Promise.resolve(new Response("{}", { status: 404 })) : fetch(request, init);

test("a server that sends other pieces of the state is named, and nothing is returned", async () => {
  const other = createHttpServer({ queries: node.queries(), metrics: async () => "" });
  other.addHook("onSend", async ({ url: path }, _reply, body) =>
    /^\/v2\/(state-pieces|light\/explore)/.test(path)
      ? String(body).replace(/.(?="\}?\])/, (digit) => (digit === "0" ? "1" : "0"))
      : body,
  );
  await other.listen({ host: "127.0.0.1", port: 0 });
  const otherUrl = `http://127.0.0.1:${(other.server.address() as AddressInfo).port}`;
  const client = await createLightClient({ checkpoint: await genesisCheckpoint(), servers: [otherUrl] });
  await using api = createLightApi(client);
  const answer = await api.inject({ method: "POST", url: "/api/explore-deploy", payload: programs[1]! });
  await other.close();
  expect([answer.statusCode, answer.body]).toEqual([400, expect.stringMatching(/Not verified.*not that piece/)]);
});

test("`vedette light` follows from a file, keeps the file at the newest block, and ends at its signal", async () => {
  const begun = await genesisCheckpoint();
  writeFileSync(file, JSON.stringify(begun));
  const stop = new AbortController();
  const command = { file, servers: [url], port: 0, maxAgeMs: undefined, everyMs: 60_000, save: true, json: true };
  const running = runLight(command, stop.signal);
  const last = toHex(node.chain.dag.lastFinalized()!.hash);
  await until("the file to have the newest block", () => JSON.parse(readFileSync(file, "utf8")).blockHash === last);
  stop.abort();
  expect(await running).toBe(0);
});

test.each([
  ["{", undefined],
  ["{}", undefined],
  [undefined, undefined],
  [undefined, 1],
])("`vedette light` refuses what is no checkpoint, or too old a one (%j, %j)", async (text, maxAgeMs) => {
  writeFileSync(file, text ?? JSON.stringify(maxAgeMs === undefined ? { format: "other" } : await genesisCheckpoint()));
  const command = { file, servers: [url], port: 0, maxAgeMs, everyMs: 1, save: false, json: false };
  expect(await runLight(command, signal)).toBe(1);
});
