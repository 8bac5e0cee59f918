import { create } from "@bufbuild/protobuf";
import {
  DataWithBlockInfoSchema,
  type ExploratoryDeployQuery,
  parMessage,
  parMessageOfBytes,
  parOfMessage,
} from "@vedette/api/grpc";
import { balanceTerm } from "@vedette/client";
import { lightBlockFixture } from "@vedette/client/fakes";
import { fromHex, toHex } from "@vedette/crypto";
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
  rnodeAtoms,
} from "@vedette/terms";
import { expect, test } from "vitest";
import {
  address,
  answering,
  blockList,
  type Deploys,
  type Explore,
  hash,
  posAnswering,
  readOnly,
  refusal,
  validator,
} from "./testing/readFixtures.js";
import { runOnFake } from "./testing/runCommand.js";

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
  expect(terms).toEqual([balanceTerm(address, "rnode"), balanceTerm(address, "rnode")]);
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
    parOfExpr(makeMap([{ key: parOfExpr(key), value: parOfExpr(value) }], emptyBitSet, false, undefined, rnodeAtoms));
  const withdrawal = new ETuple(pars(new GInt(5n), new GInt(70n)), emptyBitSet, false);
  const pos = (answers: Readonly<Record<string, Par>>): Deploys => ({
    ...blockList,
    exploratoryDeploy: ({ term }) => {
      const par = answers[/@PoS!\("(\w+)"/.exec(term)![1]!];
      return { message: { case: "result", value: { postBlockData: par === undefined ? [] : [parMessage(par)] } } };
    },
  });
  const getActiveValidators = parOfExpr(makeSet(pars(key, other), emptyBitSet, false, undefined, rnodeAtoms));
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
