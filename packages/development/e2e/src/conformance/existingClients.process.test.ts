import { printJson } from "@vedette/api";
import {
  addressOfKey,
  balanceTerm,
  bondTerm,
  deployJson,
  deployKeyOf,
  posQueryTerm,
  transferTerm,
} from "@vedette/client";
import { fromHex } from "@vedette/crypto";
import type { TestWallet } from "@vedette/devtools/devnet";
import { WebSocketClient } from "@vedette/server/testing";
import { until } from "@vedette/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { NetworkProcesses } from "../network/NetworkProcesses.js";
import { type ClientAnswer, callHttp, libraries } from "./clientCalls.js";
import { RustClient, signedDeploy } from "./rustClient.js";

// A validator that proposes on request, and an observer: what the clients of the deployed network talk to.
let network: NetworkProcesses;
let rust: RustClient;
let f1r3nodeOnObserver: RustClient;
let wallets: readonly TestWallet[];

beforeAll(async () => {
  // As the clients know a validator: it makes no block without deploys, and answers no explorations.
  const asValidator = { "casper.heartbeat.enabled": false, "dev-mode": false };
  network = await NetworkProcesses.start({ validators: 1, wallets: 3 }, asValidator);
  await network.finalizes(network.names, 0);
  rust = new RustClient(network.node("validator1").plan.ports);
  f1r3nodeOnObserver = new RustClient(network.node("observer").plan.ports);
  wallets = network.wallets;
});

afterAll(async () => {
  await network?.[Symbol.asyncDispose]();
});

const readPort = () => network.node("observer").plan.ports.http;
const writePort = () => network.node("validator1").plan.ports.http;
/** Messages of a propose that the Rust client takes for no failure. */
const harmless = /must wait for more blocks|no new deploys|not enough new blocks|NoNewDeploys/i;

/** Waits until the observer has finalized the block that the validator made. */
async function untilRead(hash: string): Promise<void> {
  await rust.waitUntilFinalized(hash);
  await network.until(`the observer finalizes ${hash}`, async () => {
    return (await f1r3nodeOnObserver.get(`/api/is-finalized/${hash}`)).text === "true";
  });
}

async function deployed(from: TestWallet, term: string): Promise<{ readonly id: string; readonly hash: string }> {
  const id = await rust.deploy(from, term);
  const proposed = await rust.propose();
  if ("refusal" in proposed) throw new Error(proposed.refusal);
  await untilRead(proposed.hash);
  return { id, hash: proposed.hash };
}

/** The body of a deploy as scripts and wallets send it. */
function deployBody(from: TestWallet, term: string, latest: number): string {
  return printJson(deployJson(signedDeploy(from, term, BigInt(latest))) as never);
}

function exprInt({ status, text }: ClientAnswer): number {
  expect(status).toBe(200);
  return JSON.parse(text).expr[0].ExprInt.data;
}

test("Rust client: deploy, propose, poll, is-finalized; deploys are pending before", async () => {
  const [from, to] = wallets as [TestWallet, TestWallet];
  const id = await rust.deploy(from, transferTerm(from.address, to.address, 1_000n, "rnode"));
  expect(id).toMatch(/^[0-9a-f]{100,200}$/);
  expect(await rust.statusOf(id)).toEqual({ kind: "pending" });
  const proposed = await rust.propose();
  expect(proposed).toEqual({ hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const hash = await rust.waitForBlock(id);
  expect(hash).toBe((proposed as { readonly hash: string }).hash);
  await untilRead(hash);
  const again = await rust.propose();
  expect("refusal" in again && again.refusal).toMatch(harmless);
  const found = await rust.json(`/api/deploy/${id}`);
  expect(found).toMatchObject({ blockHash: hash, sigAlgorithm: "secp256k1", shardId: "root", version: 1 });
  expect([typeof found.sender, typeof found.sig, typeof found.seqNum, typeof found.timestamp]).toEqual(
    "string,string,number,number".split(","),
  );
  const { value } = await f1r3nodeOnObserver.explore(balanceTerm(to.address, "rnode"));
  expect(value).toBe(to.balance + 1_000n);
});

test("Rust client: exploratory deploys answer strings, integers and booleans, on the internal gRPC port", async () => {
  const answers = [`"text"`, "42", "true", "[1]"].map((term) =>
    f1r3nodeOnObserver.explore(`new return in { return!(${term}) }`),
  );
  const [text, int, bool, list] = await Promise.all(answers);
  expect([text!.value, int!.value, bool!.value, list!.kind]).toEqual(["text", 42n, true, "eListBody"]);
  expect(text!.blockHash).toBe((await f1r3nodeOnObserver.json("/api/last-finalized-block")).blockInfo.blockHash);
  await expect(rust.explore("new return in { return!(1) }")).rejects.toThrow(
    "Exploratory deploy can only be executed on read-only RNode.",
  );
  const queries = [
    "getBonds",
    "getActiveValidators",
    "getQuarantineLength",
    "getEpochLength",
    "getCurrentEpochRewards",
  ] as const;
  for (const query of queries) {
    const { kind } = await f1r3nodeOnObserver.explore(posQueryTerm(query, "rnode"));
    expect([query, kind]).toEqual([query, expect.any(String)]);
  }
});

test("Rust client: bonds come with any term that is sent as JSON", async () => {
  const bonds = await f1r3nodeOnObserver.bonds(posQueryTerm("getBonds", "rnode"));
  expect(bonds).toEqual([{ validator: network.validatorKey("validator1"), stake: 1_000 }]);
});

test("Rust client: chain and status", async () => {
  for (const client of [rust, f1r3nodeOnObserver]) {
    const chain = await client.showMainChain(10);
    expect(chain.at(-1)).toMatchObject({ blockNumber: 0n, sender: "" });
    expect((await client.json("/status")).peers).toBe(1);
    const status = await client.json("/api/status");
    expect(Object.keys(status)).toEqual(
      expect.arrayContaining(["address", "version", "networkId", "shardId", "peers", "nodes", "minPhloPrice"]),
    );
    expect((await client.json("/api/blocks/5"))[0].blockHash).toBe(chain[0]!.blockHash);
    expect((await client.get("/metrics")).text).toMatch(/^\w*(peer|block)\w*.* \d/m);
    const { blockInfo } = await client.json("/api/last-finalized-block");
    const read = ["blockHash", "blockNumber", "timestamp", "deployCount", "shardId", "faultTolerance"];
    expect(Object.keys(blockInfo)).toEqual(expect.arrayContaining(read));
  }
});

test("Rust client: watched events", async () => {
  await using events = await WebSocketClient.connect(writePort(), "/ws/events");
  const { hash } = await deployed(wallets[0]!, "Nil");
  const of = (kind: string) => (message: Record<string, unknown>) =>
    message["event"] === kind && (message["payload"] as Record<string, unknown>)["block-hash"] === hash;
  const received = await events.until((messages) => messages.some(of("block-finalised")));
  expect(received[0]!["event"]).toBe("started");
  for (const kind of ["block-created", "block-added"]) expect(received.some(of(kind))).toBe(true);
});

test("indexer: one round from genesis to the last finalized block", async () => {
  const client = f1r3nodeOnObserver;
  const { blockInfo: last } = await client.json("/api/last-finalized-block");
  expect(last.blockNumber).toBeGreaterThan(0);
  const blocks = await client.blocksByHeight(0, 49);
  expect(blocks.map(({ blockNumber }) => Number(blockNumber))).toEqual([...Array(last.blockNumber + 1).keys()]);
  const seen = new Set<string>();
  for (const [index, { blockHash, deployCount }] of blocks.entries()) {
    const { blockInfo, deploys } = await client.json(`/api/block/${blockHash}`);
    expect(deploys).toHaveLength(deployCount);
    expect(blockInfo.parentsHashList[0]).toBe(blocks[index - 1]?.blockHash);
    expect(Math.abs(blockInfo.faultTolerance)).toBeLessThan(10);
    expect([blockInfo.blockHash.length, blockInfo.postStateHash.length]).toEqual([64, 64]);
    expect(blockInfo.sender.length).toBeLessThanOrEqual(160);
    expect(blockInfo.sig.length).toBeLessThanOrEqual(200);
    for (const deploy of deploys) {
      expect(seen.has(deploy.sig)).toBe(false);
      seen.add(deploy.sig);
      expect([deploy.errored, deploy.systemDeployError]).toEqual([false, ""]);
      expect((await client.json(`/api/deploy/${deploy.sig}`)).blockHash).toBe(blockHash);
    }
  }
  const { deploys, blockInfo } = await client.json(`/api/block/${blocks[0]!.blockHash}`);
  expect([deploys.length > 0, blockInfo.bonds.length]).toEqual([true, 1]);
  expect(await client.blocksByHeight(0, 51)).toEqual([]);
});

test("indexer, the older one: HTTP alone", async () => {
  const ask = (path: string) => callHttp({ port: readPort(), path, headers: libraries.aiohttp });
  expect(JSON.parse((await ask("/status")).text).version).toBeTruthy();
  const blocks = JSON.parse((await ask("/api/blocks/50")).text) as { readonly blockHash: string }[];
  expect(JSON.parse((await ask(`/api/block/${blocks[0]!.blockHash}`)).text).deploys).toHaveLength(1);
  const headers = { ...libraries.aiohttp, "content-type": "text/plain" };
  const body = balanceTerm(wallets[2]!.address, "rnode");
  const path = "/api/explore-deploy";
  const balance = exprInt(await callHttp({ port: readPort(), method: "POST", path, headers, body }));
  expect(BigInt(balance)).toBe(wallets[2]!.balance);
  expect((await ask("/metrics")).status).toBe(200);
});

test("explorer: a balance from a page of another origin, without a preflight; and with one", async () => {
  const port = readPort();
  const headers = { ...libraries.browser, "content-type": "text/plain" };
  const body = balanceTerm(wallets[2]!.address, "rnode");
  const answer = await callHttp({ port, method: "POST", path: "/api/explore-deploy", headers, body });
  expect(BigInt(exprInt(answer))).toBe(wallets[2]!.balance);
  expect(answer.headers["access-control-allow-origin"]).toMatch(/^(\*|https:\/\/explorer\.example)$/);
  const status = await callHttp({ port, path: "/status", headers: libraries.browser });
  expect([status.status, status.headers["access-control-allow-origin"]]).toEqual([200, expect.any(String)]);
  const asked = { "access-control-request-method": "POST", "access-control-request-headers": "content-type" };
  const preflight = await callHttp({
    port,
    method: "OPTIONS",
    path: "/api/explore-deploy",
    headers: { ...libraries.browser, ...asked },
  });
  expect([Math.floor(preflight.status / 100), preflight.headers["access-control-allow-origin"]]).toEqual([
    2,
    expect.any(String),
  ]);
});

test("wallet SDK: a transfer from the look at the chain to its finality", async () => {
  const get = (port: number, path: string) => callHttp({ port, path, headers: libraries.axios });
  const post = (port: number, path: string, type: string, body: string) =>
    callHttp({ port, method: "POST", path, headers: { ...libraries.axios, "content-type": type }, body });
  const form = "application/x-www-form-urlencoded";
  const balanceOf = async ({ address }: TestWallet) =>
    BigInt(exprInt(await post(readPort(), "/api/explore-deploy", form, balanceTerm(address, "rnode"))));
  const [from, to] = [wallets[1]!, wallets[2]!];
  const before = await balanceOf(to);
  expect((await get(writePort(), "/status")).status).toBe(200);
  const [newest] = JSON.parse((await get(readPort(), "/api/blocks/1")).text);
  const term = transferTerm(from.address, to.address, 7n, "rnode");
  const body = deployBody(from, term, newest.blockNumber);
  const sent = await post(writePort(), "/api/deploy", "application/json", body);
  expect(sent.status).toBe(200);
  const id = /DeployId is:\s*([a-fA-F0-9]+)/.exec(JSON.parse(sent.text))![1]!;
  // Unknown to the read node: an error with a status line that the SDK looks for, and continues.
  const pending = await get(readPort(), `/api/deploy/${id}`);
  expect([pending.status, pending.reason]).toEqual([400, "Bad Request"]);
  await rust.propose();
  const found = await untilFound(() => get(readPort(), `/api/deploy/${id}`));
  expect(found.faultTolerance).toEqual(expect.any(Number));
  const block = JSON.parse((await get(readPort(), `/api/block/${found.blockHash}`)).text);
  expect(block.blockInfo.blockHash).toBe(found.blockHash);
  await untilRead(found.blockHash);
  expect(await balanceOf(to)).toBe(before + 7n);
  const badAddress = `${"1111"}${"2".repeat(50)}`;
  const wrong = await post(
    readPort(),
    "/api/explore-deploy",
    form,
    balanceTerm(to.address, "rnode").replace(to.address, badAddress),
  );
  expect(JSON.parse(wrong.text).expr[0].ExprString.data).toEqual(expect.any(String));
});

async function untilFound(ask: () => Promise<ClientAnswer>): Promise<{ blockHash: string; faultTolerance: number }> {
  return until("the deploy to be found", async () => {
    const answer = await ask();
    if (answer.status === 200) return JSON.parse(answer.text);
    expect([answer.status, answer.reason]).toEqual([400, "Bad Request"]);
    return undefined;
  });
}

test("faucet: a payment over HTTP, polled at the validator, read at the observer", async () => {
  const [from, to] = [wallets[0]!, wallets[2]!];
  const before = (await f1r3nodeOnObserver.explore(balanceTerm(to.address, "rnode"))).value as bigint;
  const headers = { ...libraries.axios, "content-type": "application/json" };
  const [newest] = await rust.json("/api/blocks/1");
  const body = deployBody(from, transferTerm(from.address, to.address, 5n, "rnode"), newest.blockNumber);
  const sent = await callHttp({ port: writePort(), method: "POST", path: "/api/deploy", headers, body });
  const id = JSON.parse(sent.text).split("DeployId is: ")[1];
  await rust.propose();
  await untilRead(await rust.waitForBlock(id));
  expect((await f1r3nodeOnObserver.explore(balanceTerm(to.address, "rnode"))).value).toBe(before + 5n);
});

test("deployer bot: deploy, then propose at each validator in turn", async () => {
  for (let round = 0; round < 2; round += 1) {
    await rust.deploy(wallets[0]!, `@"bot"!(${round})`);
    expect(await rust.propose()).toEqual({ hash: expect.any(String) });
  }
});

test("validator connector: its status at the observer, its bond at the first node", async () => {
  const key = wallets[2]!.publicKey;
  const isBonded = async () =>
    (await f1r3nodeOnObserver.bonds(posQueryTerm("getBonds", "rnode"))).some(({ validator }) => validator === key);
  expect(await isBonded()).toBe(false);
  expect(addressOfKey(deployKeyOf(fromHex(wallets[2]!.privateKey)))).toBe(wallets[2]!.address);
  await deployed(wallets[2]!, bondTerm(100n, "rnode"));
  expect(await isBonded()).toBe(true);
});

test("integration tests: prepare-deploy, data at a deploy's name, blocks, the line of metrics", async () => {
  const { id, hash } = await deployed(wallets[0]!, "new return(`rho:rchain:deployId`) in { return!(17) }");
  const post = (path: string, body: string) =>
    callHttp({ port: readPort(), method: "POST", path, headers: libraries.curl, body });
  expect(await rust.json("/api/prepare-deploy")).toEqual({ names: [], seqNumber: expect.any(Number) });
  const prepare = printJson({ deployer: wallets[0]!.publicKey, timestamp: 1, nameQty: 2 });
  expect(JSON.parse((await post("/api/prepare-deploy", prepare)).text).names).toHaveLength(2);
  const name = { UnforgDeploy: { data: id } };
  const byHash = await post(
    "/api/data-at-name-by-block-hash",
    printJson({ name, blockHash: hash, usePreStateHash: false }),
  );
  expect(exprInt(byHash)).toBe(17);
  const data = JSON.parse((await post("/api/data-at-name", printJson({ name, depth: 1 }))).text);
  expect([data.length, data.exprs[0].expr.ExprInt.data]).toEqual([1, 17]);
  expect(await f1r3nodeOnObserver.json(`/api/deploy/${id}`)).toMatchObject({
    blockHash: hash,
    seqNum: expect.any(Number),
  });
  expect((await f1r3nodeOnObserver.json("/api/blocks"))[0].blockHash).toBe(hash);
  const { text } = await f1r3nodeOnObserver.get("/metrics");
  expect(/^rchain_comm_rp_connect_peers (\d+).0\s*$/m.exec(text)?.[1]).toBe("1");
  const lines = ["Listening for traffic on rnode", "Making a transition to Running state."];
  for (const line of lines) expect(network.log("observer", 10_000)).toContain(line);
});

test("documentation: the curl calls", async () => {
  const curl = async (path: string) => {
    const answer = await callHttp({ port: readPort(), path, headers: libraries.curl });
    return JSON.parse(answer.text);
  };
  const { syncStatus, version } = await curl("/status");
  expect([typeof version, syncStatus.phase]).toEqual(["string", "following"]);
  const [newest] = await curl("/blocks");
  expect(newest.blockNumber).toBe(syncStatus.blockNumber);
  expect((await curl("/api/last-finalized-block")).blockInfo.blockHash).toBe(newest.blockHash);
  // `curl -d` declares a form.
  for (const type of ["application/json", "application/x-www-form-urlencoded"]) {
    const headers = { ...libraries.curl, "content-type": type };
    const body = '{"term": "new return in { return!(1) }"}';
    const answer = await callHttp({ port: readPort(), method: "POST", path: "/explore-deploy", headers, body });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text).block.blockHash).toBe(newest.blockHash);
  }
});
