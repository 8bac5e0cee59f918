import { create } from "@bufbuild/protobuf";
import {
  DataWithBlockInfoSchema,
  type ExploratoryDeployQuery,
  parMessage,
  parMessageOfBytes,
  parOfMessage,
} from "@vedette/api/grpc";
import { balanceTerm, posQueryTerm } from "@vedette/client";
import { blockFixture, FakeHttpNode, type FakeServices, lightBlockFixture } from "@vedette/client/fakes";
import { fromHex, toHex, vaultAddressOfPublicKey } from "@vedette/crypto";
import { compile } from "@vedette/rholang";
import {
  ETuple,
  type Expr,
  emptyBitSet,
  equalPar,
  f1r3nodeTerms,
  GBigInt,
  GByteArray,
  GDeployerId,
  GDeployId,
  GDouble,
  GInt,
  GPrivate,
  GString,
  makeMap,
  makeSet,
  type Par,
  parOfExpr,
  parOfUnforgeable,
} from "@vedette/terms";
import { expect, test } from "vitest";
import { runOnFake } from "./testing/runCommand.js";

type Deploys = NonNullable<FakeServices["deploys"]>;
type Explore = NonNullable<Deploys["exploratoryDeploy"]>;

const address = vaultAddressOfPublicKey(new Uint8Array(65).fill(0x11))!;
const validator = `04${"87".repeat(64)}`;
const hash = "aa".repeat(32);
const refusal = (...messages: string[]) => ({ message: { case: "error" as const, value: { messages } } });
const readOnly = refusal("Exploratory deploy can only be executed on read-only RNode.");

/** Answers an exploratory deploy with the values of a Rholang text. */
function answering(...values: string[]): Explore {
  const postBlockData = values.map((text) => parMessage(compile(text)));
  return () => ({ message: { case: "result", value: { postBlockData, block: lightBlockFixture() } } });
}

/** Answers each query of the proof-of-stake contract. */
function posAnswering(answers: Readonly<Record<string, string>>): Explore {
  return ({ term }) => {
    const query = /@PoS!\("(\w+)"/.exec(term)![1]!;
    expect(term).toBe(posQueryTerm(query as Parameters<typeof posQueryTerm>[0]));
    const postBlockData = [parMessage(compile(answers[query] ?? "Nil"))];
    return { message: { case: "result", value: { postBlockData, block: lightBlockFixture() } } };
  };
}

const blockList: Deploys = {
  async *getBlocks({ depth }) {
    for (let index = 0; index < Math.min(depth, 3); index += 1) {
      yield { message: { case: "blockInfo", value: lightBlockFixture({ blockNumber: 17n - BigInt(index) }) } };
    }
  },
  async *getBlocksByHeights({ startBlockNumber, endBlockNumber }) {
    for (let number = startBlockNumber; number <= endBlockNumber; number += 1n) {
      yield { message: { case: "blockInfo", value: lightBlockFixture({ blockNumber: number, sender: "" }) } };
    }
  },
  getBlock: ({ hash: asked }) =>
    hash.startsWith(asked)
      ? { message: { case: "blockInfo", value: blockFixture() } }
      : refusal(`Error: Failure to find block with hash: ${asked}`),
  lastFinalizedBlock: () => ({ message: { case: "blockInfo", value: blockFixture() } }),
};

test("status in rnode's form, and for programs", async () => {
  const deploys: Deploys = {
    status: () => ({
      message: {
        case: "status",
        value: {
          version: { api: "1", node: "RChain Node 1.0.0-SNAPSHOT (unknown)" },
          address: "rnode://0d13@10.0.0.5?protocol=40400&discovery=40404",
          networkId: "devnet1",
          shardId: "root",
          peers: 1,
          nodes: 1,
          minPhloPrice: 9_223_372_036_854_775_807n,
          peerList: [{ nodeId: "aa", isConnected: true }],
        },
      },
    }),
  };
  expect((await runOnFake({ deploys }, ["status"])).output).toBe(`version {
  api: "1"
  node: "RChain Node 1.0.0-SNAPSHOT (unknown)"
}
address: "rnode://0d13@10.0.0.5?protocol=40400&discovery=40404"
networkId: "devnet1"
shardId: "root"
peers: 1
nodes: 1
minPhloPrice: 9223372036854775807
peerList {
  nodeId: "aa"
  isConnected: true
}
`);
  const { output } = await runOnFake({ deploys }, ["status", "--json"]);
  expect(output).toContain('"minPhloPrice":9223372036854775807,"peerList":[{"address":"","nodeId":"aa"');
});

test("status shows the conditions that the node's HTTP API reports, and ignores another node's", async () => {
  const address = "rnode://0d13@10.0.0.5?protocol=40400&discovery=40404";
  const deploys: Deploys = { status: () => ({ message: { case: "status", value: { address } } }) };
  const since = "2026-01-02T03:04:05.000Z";
  const condition = { code: "diskFull", since, reason: "no room", advice: "Free some space.", isUnready: true };
  const syncStatus = {
    ...{ phase: "following", blockNumber: 1, bestPeerBlockNumber: 1, finalizedBlockNumber: 1, secondsLeft: 0 },
    progress: { unit: "blocks", done: 1, total: 1, perSecond: 0 },
    ...{ blocksPerSecond: 0, peers: 1, unvalidatedBlocks: 0, revalidatedBlocks: 0, lastError: null, bottleneck: null },
    ...{ sources: [], conditions: [condition] },
  };
  const fields = { version: "Vedette 1", peers: 1, nodes: 1, peerList: [], syncStatus };
  for (const [named, lines] of [
    [address, `diskFull since ${since}: no room. Free some space.\n`],
    ["rnode://other@10.0.0.6?protocol=40400&discovery=40404", ""],
  ] as const) {
    await using http = await FakeHttpNode.start(() => JSON.stringify({ address: named, ...fields }));
    const args = ["status", "--http-port", new URL(http.url).port];
    const run = await runOnFake({ deploys }, args);
    expect([run.errors, run.output.includes(address)]).toEqual([lines, true]);
    const json = JSON.parse((await runOnFake({ deploys }, [...args, "--json"])).output);
    expect(json.conditions).toEqual(lines === "" ? undefined : [condition]);
  }
});

test("blocks by depth and by heights, one line each", async () => {
  const line = (number: bigint, sender: string) =>
    `#${number}  ${hash}  ${sender.padEnd(16)}  2023-11-14T22:13:20.123Z  1 deploys  fault tolerance 0.33\n`;
  const run = await runOnFake({ deploys: blockList }, ["blocks", "2"]);
  expect(run.output).toBe(line(17n, validator.slice(0, 16)) + line(16n, validator.slice(0, 16)));
  const heights = await runOnFake({ deploys: blockList }, ["get-blocks-by-height", "-s", "0", "-e", "1"]);
  expect(heights.output).toBe(line(0n, "genesis") + line(1n, "genesis"));
  const json = await runOnFake({ deploys: blockList }, ["blocks", "-n", "1", "--json"]);
  expect(json.output).toContain('"bonds":[{"validator":"0487');
  expect(json.output).toContain('"stake":50000000000000001}],"blockSize":"4312"');
  expect(json.output).toContain('"faultTolerance":0.33333334');
  for (const args of [
    ["-s", "1"],
    ["-s", "2", "-e", "1"],
  ]) {
    expect((await runOnFake({ deploys: blockList }, ["blocks", ...args])).errors).toMatch(/Give both heights/);
  }
});

test("on a terminal blocks are a table with short hashes and ages, in a pipe all is whole", async () => {
  const run = await runOnFake({ deploys: blockList }, ["blocks", "2"], { isTerminal: true });
  const [titles, first, second, ...rest] = run.output.split("\n");
  expect(titles).toMatch(/^block +hash +made by +when +deploys +fault tolerance$/);
  expect(first).toMatch(/^ +#17 +[0-9a-f]{12}… +[0-9a-f]{12}… +\d{4}-\d\d-\d\dT[\d:]{8}Z, \d+ d ago +\d+ +-?[\d.]+$/);
  expect([second!.includes("#16"), rest]).toEqual([true, [""]]);
  expect((await runOnFake({ deploys: blockList }, ["blocks", "2"])).output).not.toContain("…");
});

test("an empty stream is explained", async () => {
  const none = { deploys: { async *getBlocks() {}, async *showMainChain() {}, async *visualizeDag() {} } };
  for (const command of ["blocks", "show-main-chain", "dag"]) {
    const run = await runOnFake(none, [command]);
    expect(run.exitCode).toBe(1);
    expect(run.errors).toMatch(/has not joined its network yet, or the request exceeds its limit/);
  }
});

test("show-blocks in rnode's form", async () => {
  const { output } = await runOnFake({ deploys: blockList }, ["show-blocks", "--depth", "2"]);
  expect(output).toMatch(/^\n------------- block 17 ---------------\nblockHash: "aa+"\nsender: "0487\w+"\nseqNum: 5\n/);
  expect(output).toMatch(/\n {2}latestBlockHash: "bb+"\n\}\n-{53}\n/);
  expect(output.endsWith("\n\ncount: 2\n")).toBe(true);
});

test("a block by the beginning of its hash", async () => {
  const { output } = await runOnFake({ deploys: blockList }, ["block", "0xAAAAAA"]);
  expect(output).toMatch(/^blockInfo \{\n {2}blockHash: "aa/);
  expect(output).toMatch(/\ndeploys \{\n {2}deployer: "0487\w+"\n {2}term: "new x in \{ x!\(1\) \}"\n/);
  const { output: json } = await runOnFake({ deploys: blockList }, ["show-block", "-b", hash, "--json"]);
  expect(JSON.parse(json).deploys[0]).toMatchObject({ cost: 162, errored: false, systemDeployError: "" });
  expect(JSON.parse((await runOnFake({ deploys: blockList }, ["lfb", "--json"])).output).blockInfo.blockNumber).toBe(
    17,
  );
  const unknown = await runOnFake({ deploys: blockList }, ["blocks", "--block-hash", "bbbbbb"]);
  expect(unknown).toMatchObject({ exitCode: 1, errors: "vedette: Error: Failure to find block with hash: bbbbbb\n" });
  expect((await runOnFake({ deploys: blockList }, ["block", "abc"])).errors).toMatch(
    /must be 6 to 64 hexadecimal digits/,
  );
  expect((await runOnFake({ deploys: blockList }, ["block"])).errors).toMatch(/Give the block's hash/);
});

test("is-finalized takes the first digits of a hash, and lists the blocks that begin so", async () => {
  const whole = "ab".repeat(32);
  const asked: string[] = [];
  const deploys: FakeServices["deploys"] = {
    getBlock: ({ hash: prefix }) =>
      prefix === "ababab"
        ? { message: { case: "blockInfo", value: blockFixture({ blockHash: whole }) } }
        : {
            message: {
              case: "error",
              value: { messages: [`Error: Several blocks have a hash that begins with ${prefix}`] },
            },
          },
    isFinalized: ({ hash: name }) => {
      asked.push(name);
      return { message: { case: "isFinalized", value: true } };
    },
  };
  expect(await runOnFake({ deploys }, ["is-finalized", "ababab"])).toMatchObject({ exitCode: 0 });
  expect(asked).toEqual([whole]);
  expect(await runOnFake({ deploys }, ["is-finalized", "cdcdcd"])).toMatchObject({
    exitCode: 1,
    errors: expect.stringContaining("Several blocks have a hash that begins with cdcdcd"),
  });
});

test("is-finalized answers by its exit code, too", async () => {
  let asked = 0;
  const isFinalized: Deploys["isFinalized"] = () => ({ message: { case: "isFinalized", value: (asked += 1) > 1 } });
  const ask = (...args: string[]) => runOnFake({ deploys: { isFinalized } }, ["is-finalized", ...args]);
  expect(await ask(hash)).toEqual({ exitCode: 1, output: "Block is not finalized\n", errors: "" });
  expect(await ask(hash)).toEqual({ exitCode: 0, output: "Block is finalized\n", errors: "" });
  asked = 0;
  expect(JSON.parse((await ask("-b", hash, "--wait", "--json")).output)).toEqual({
    blockHash: hash,
    isFinalized: true,
  });
});

test("the DAG is drawn and listed", async () => {
  const queries: unknown[] = [];
  const deploys: Deploys = {
    async *visualizeDag({ depth, showJustificationLines }) {
      queries.push([depth, showJustificationLines]);
      for (const value of ['digraph "dag" {\n', "}\n"]) yield { message: { case: "content", value } };
    },
    machineVerifiableDag: () => ({ message: { case: "content", value: "aa bb\nbb cc" } }),
    async *showMainChain({ depth }) {
      yield { message: { case: "blockInfo", value: lightBlockFixture({ blockNumber: BigInt(depth) }) } };
    },
  };
  expect((await runOnFake({ deploys }, ["dag"])).output).toBe('digraph "dag" {\n}\n');
  const json = await runOnFake({ deploys }, ["vdag", "--depth", "3", "--showJustificationlines", "--json"]);
  expect(JSON.parse(json.output)).toEqual({ graphviz: 'digraph "dag" {\n}\n' });
  expect(queries).toEqual([
    [-1, false],
    [3, true],
  ]);
  expect((await runOnFake({ deploys }, ["mvdag"])).output).toBe("aa bb\nbb cc\n");
  expect(JSON.parse((await runOnFake({ deploys }, ["mvdag", "--json"])).output)[1]).toEqual({
    blockHash: "bb",
    parentHash: "cc",
  });
  expect((await runOnFake({ deploys }, ["show-main-chain", "-d", "4"])).output).toMatch(/^#4 {2}/);
});

test("a balance, exact to the last digit", async () => {
  const terms: string[] = [];
  const answer = answering("9223372036854775807");
  const exploratoryDeploy: Explore = (query, context) => {
    terms.push(query.term);
    return answer(query, context);
  };
  const run = await runOnFake({ deploys: { exploratoryDeploy } }, ["balance", address]);
  expect(run.output).toBe(`Balance of ${address}: 9223372036854775807 (92233720368.54775807 ASI)\n`);
  const json = await runOnFake({ deploys: { exploratoryDeploy } }, ["wallet-balance", "--address", address, "--json"]);
  expect(json.output).toBe(
    `{"address":"${address}","balance":9223372036854775807,"block":{"blockHash":"${hash}","blockNumber":17}}\n`,
  );
  expect(terms).toEqual([balanceTerm(address), balanceTerm(address)]);
});

test("a balance that the chain does not return", async () => {
  const ask = (exploratoryDeploy: Explore) => runOnFake({ deploys: { exploratoryDeploy } }, ["balance", address]);
  expect((await ask(answering('"Invalid checksum"'))).errors).toBe("vedette: Invalid checksum\n");
  expect((await ask(answering())).errors).toMatch(/The chain returned no balance/);
  const refused = await ask(() => readOnly);
  expect(refused.exitCode).toBe(1);
  expect(refused.errors).toMatch(
    /can only be executed on read-only RNode\.\nA node with a validator key .* use an observer/,
  );
  const wrong = await runOnFake({ deploys: {} }, ["balance", `${address}1`]);
  expect(wrong.errors).toMatch(/is no vault address/);
});

test("explore runs a program on a state", async () => {
  const queries: ExploratoryDeployQuery[] = [];
  const answer = answering('("a", 1)', "[true, Nil]");
  const exploratoryDeploy: Explore = (query, context) => {
    queries.push(query);
    return answer(query, context);
  };
  const run = await runOnFake({ deploys: { exploratoryDeploy } }, ["explore", "-e", "Nil"]);
  expect(run.output).toBe('("a", 1)\n[true, Nil]\n');
  const args = ["exploratory-deploy", "-", "--block-hash", hash, "--use-pre-state", "--json"];
  const json = await runOnFake({ deploys: { exploratoryDeploy } }, args, { input: "new x in { Nil }" });
  expect(JSON.parse(json.output).expr[0]).toEqual({
    ExprTuple: { data: [{ ExprString: { data: "a" } }, { ExprInt: { data: 1 } }] },
  });
  expect(queries).toMatchObject([
    { term: "Nil", blockHash: "", usePreStateHash: false },
    { term: "new x in { Nil }", blockHash: hash, usePreStateHash: true },
  ]);
  expect((await runOnFake({ deploys: { exploratoryDeploy } }, ["explore"])).errors).toMatch(/Give a program/);
});

test("terms of an f1r3node network are read and printed in its form", async () => {
  const exprs = [new GDouble(0x3ff8000000000000n), new GBigInt(Uint8Array.of(0xff, 0x38))];
  const postBlockData = exprs.map((expr) => parMessageOfBytes(f1r3nodeTerms.encodePar(parOfExpr(expr))));
  const exploratoryDeploy: Explore = () => ({
    message: { case: "result", value: { postBlockData, block: lightBlockFixture() } },
  });
  const args = ["explore", "-e", "Nil", "--dialect", "f1r3node"];
  const run = await runOnFake({ deploys: { exploratoryDeploy } }, args);
  expect(run.output).toBe(`${exprs.map((expr) => f1r3nodeTerms.printPar(parOfExpr(expr))).join("\n")}\n`);
  expect(run.output).toContain("1.5");
  const json = await runOnFake({ deploys: { exploratoryDeploy } }, [...args, "--json"]);
  expect(JSON.parse(json.output).expr).toEqual([{ ExprFloat: { data: 1.5 } }, { ExprBigInt: { data: "-200" } }]);
});

test("data at every kind of name", async () => {
  const names: Par[] = [];
  const block = lightBlockFixture();
  const par = [parMessage(compile('"hello"'))];
  const deploys: Deploys = {
    findDeploy: () => ({ message: { case: "blockInfo", value: block } }),
    getDataAtName: ({ par: name }) => {
      names.push(parOfMessage(name!));
      return { message: { case: "payload", value: { par, block } } };
    },
    listenForDataAtName: ({ name, depth }) => {
      names.push(parOfMessage(name!));
      const blockInfo = depth === 1 ? [] : [create(DataWithBlockInfoSchema, { postBlockData: par, block })];
      return { message: { case: "payload", value: { blockInfo, length: blockInfo.length } } };
    },
  };
  const ask = (...args: string[]) => runOnFake({ deploys }, ["data-at-name", ...args]);
  expect((await ask("--deploy-id", "3045".repeat(18))).output).toBe('"hello"\n');
  expect((await ask("--unforgeable", "0a0b", "-b", hash)).output).toBe('"hello"\n');
  expect((await ask("--deployer", validator, "--depth", "2")).output).toBe('#17\n"hello"\n');
  expect((await ask("--name", '"x"', "--json")).output).toBe("[]\n");
  expect((await ask("-t", "priv", "-c", "0a0b")).output).toBe("No data\n");
  const expected = [
    parOfUnforgeable(new GDeployId(fromHex("3045".repeat(18)))),
    parOfUnforgeable(new GPrivate(fromHex("0a0b"))),
    parOfUnforgeable(new GDeployerId(fromHex(validator))),
    compile('"x"'),
    parOfUnforgeable(new GPrivate(fromHex("0a0b"))),
  ];
  expect(names.map((name, index) => equalPar(name, expected[index]!))).toEqual(expected.map(() => true));
  expect((await ask("--name", "new x in {")).errors).toMatch(/invalid Rholang name: /);
  expect((await ask("--unforgeable", "0a0")).errors).toMatch(/must be hexadecimal digits, two for each byte/);
  expect((await ask()).errors).toMatch(/Give a name/);
});

test("a name that a block's deploys did not touch has no data", async () => {
  const deploys: Deploys = { getDataAtName: () => refusal("None.get") };
  const ask = (...args: string[]) =>
    runOnFake({ deploys }, ["data-at-name", "--unforgeable", "0a", "-b", hash, ...args]);
  expect(await ask()).toEqual({ exitCode: 0, output: "No data\n", errors: "" });
  expect((await ask("--json")).output).toBe('{"expr":[],"block":null}\n');
});

test("bonds of the last finalized block", async () => {
  const { output } = await runOnFake({ deploys: blockList }, ["bonds"]);
  const amount = "50000000000000001 (500000000.00000001 ASI)";
  expect(output).toBe(`${validator}  ${amount}\n1 validators, ${amount} in all, at block #17\n`);
  const json = await runOnFake({ deploys: blockList }, ["bonds", "--json"]);
  expect(json.output).toBe(`[{"validator":"${validator}","stake":50000000000000001}]\n`);
  const table = await runOnFake({ deploys: blockList }, ["bonds"], { isTerminal: true });
  expect(table.output).toMatch(/^validator +stake +share\n04\w{10}….{4} +\d+ \([\d.]+ ASI\) +[\d.]+ %\n/);
});

test("balances and stakes are shown in the network's token", async () => {
  const value = {
    ...{ address: "", networkId: "", shardId: "root", peers: 0, nodes: 0, epochLength: 10 },
    ...{ nativeTokenName: "Fire Coin", nativeTokenSymbol: "F1R3", nativeTokenDecimals: 3 },
  };
  const status: Deploys["status"] = () => ({ message: { case: "status", value } });
  const deploys: Deploys = { ...blockList, status, exploratoryDeploy: answering("1500") };
  expect((await runOnFake({ deploys }, ["balance", address])).output).toBe(`Balance of ${address}: 1500 (1.5 F1R3)\n`);
  const amount = "50000000000000001 (50000000000000.001 F1R3)";
  expect((await runOnFake({ deploys }, ["bonds"])).output).toBe(
    `${validator}  ${amount}\n1 validators, ${amount} in all, at block #17\n`,
  );
  expect((await runOnFake({ deploys }, ["validator-status", "-k", validator])).output).toContain(`Stake: ${amount}`);
});

test("a validator's status; what only an observer returns is unknown on a validator", async () => {
  const asked = ["validator-status", "-k", validator];
  const exploratoryDeploy = posAnswering({
    getActiveValidators: "Set()",
    getPendingWithdrawer: "{}",
  });
  const onValidator = await runOnFake({ deploys: { ...blockList, exploratoryDeploy: () => readOnly } }, asked);
  expect(onValidator.output).toMatch(/\nBonded: yes\nStake: 50000000000000001 \([\d.]+ ASI\)\nActive: unknown \(/);
  const onObserver = await runOnFake({ deploys: { ...blockList, exploratoryDeploy } }, [...asked, "--json"]);
  expect(onObserver.output).toBe(
    `{"validator":"${validator}","isBonded":true,"stake":50000000000000001,"isActive":false,"releaseBlock":null,"blockNumber":17}\n`,
  );
  const shortKey = await runOnFake({ deploys: { ...blockList, exploratoryDeploy } }, ["validator-status", "12"]);
  expect(shortKey.errors).toMatch(/The public key must be 130 hexadecimal digits that begin with 04/);
});

test("active and leaving validators are read from the contract's answer", async () => {
  const key = new GByteArray(fromHex(validator));
  const other = new GByteArray(fromHex(`04${"11".repeat(64)}`));
  const pars = (...exprs: Expr[]) => exprs.map(parOfExpr);
  const map = (value: Expr) =>
    parOfExpr(makeMap([{ key: parOfExpr(key), value: parOfExpr(value) }], emptyBitSet, false, undefined));
  const withdrawal = new ETuple(pars(new GInt(5n), new GInt(70n)), emptyBitSet, false);
  const pos = (answers: Readonly<Record<string, Par>>): Deploys => ({
    ...blockList,
    exploratoryDeploy: ({ term }) => {
      const par = answers[/@PoS!\("(\w+)"/.exec(term)![1]!];
      return { message: { case: "result", value: { postBlockData: par === undefined ? [] : [parMessage(par)] } } };
    },
  });
  const getActiveValidators = parOfExpr(makeSet(pars(key, other), emptyBitSet, false, undefined));
  const active = await runOnFake({ deploys: pos({ getActiveValidators }) }, ["active-validators", "--json"]);
  expect(JSON.parse(active.output).sort()).toEqual([toHex(other.value), validator]);
  const asked = ["validator-status", validator, "--json"];
  const pending = pos({ getActiveValidators, getPendingWithdrawer: map(new GInt(60n)) });
  expect(JSON.parse((await runOnFake({ deploys: pending }, asked)).output)).toMatchObject({
    isActive: true,
    releaseBlock: 60,
  });
  const leaving = pos({ getPendingWithdrawer: map(new GString("?")), getWithdrawers: map(withdrawal) });
  expect(JSON.parse((await runOnFake({ deploys: leaving }, asked)).output)).toMatchObject({
    isActive: null,
    releaseBlock: 70,
  });
});

test("bond-status answers by its exit code, for keys of 65 bytes", async () => {
  const bondStatus: Deploys["bondStatus"] = ({ publicKey }) => ({
    message: { case: "isBonded", value: toHex(publicKey) === validator },
  });
  expect(await runOnFake({ deploys: { bondStatus } }, ["bond-status", validator])).toEqual({
    exitCode: 0,
    output: "Validator is bonded\n",
    errors: "",
  });
  const other = await runOnFake({ deploys: { bondStatus } }, ["bond-status", `04${"11".repeat(64)}`]);
  expect(other).toMatchObject({ exitCode: 1, output: "Validator is not bonded\n" });
});

test("epochs", async () => {
  const exploratoryDeploy = posAnswering({
    getEpochLength: "10",
    getQuarantineLength: "50000",
    getCurrentEpochRewards: "{}",
  });
  const deploys = { ...blockList, exploratoryDeploy };
  expect((await runOnFake({ deploys }, ["epoch-info"])).output).toBe(
    "Epoch length: 10 blocks\nQuarantine length: 50000 blocks\nCurrent epoch: 1 (block 17)\n",
  );
  expect((await runOnFake({ deploys }, ["epoch-rewards"])).output).toBe("{}\n");
  const none = await runOnFake({ deploys: { exploratoryDeploy: answering() } }, ["epoch-info"]);
  expect(none.errors).toMatch(/The proof-of-stake contract did not answer getEpochLength/);
});

test("a node's text cannot drive the terminal", async () => {
  const evil = "\u001b]0;owned\u0007\u009b2J\u202e\u2066\u200f\u061c\u2028";
  const deploys: Deploys = {
    getBlock: () => ({ message: { case: "blockInfo", value: blockFixture({ shardId: evil }) } }),
    isFinalized: () => refusal(`no ${evil}`),
    machineVerifiableDag: () => ({ message: { case: "content", value: evil } }),
  };
  const runs = [
    await runOnFake({ deploys }, ["block", hash]),
    await runOnFake({ deploys }, ["is-finalized", hash]),
    await runOnFake({ deploys }, ["mvdag"]),
    await runOnFake({ deploys }, ["block", hash, "--json"]),
    await runOnFake({ deploys }, ["is-finalized", hash, "--json"]),
    await runOnFake({ deploys }, ["mvdag", "--json"]),
  ];
  for (const { output, errors } of runs) {
    for (const character of output + errors) {
      const code = character.charCodeAt(0);
      expect(code === 0x0a || (code >= 0x20 && code < 0x7f)).toBe(true);
    }
  }
});
