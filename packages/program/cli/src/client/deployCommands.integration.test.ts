import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DeployDataProto, DeployFinalizationStateProto, parMessage } from "@vedette/api/grpc";
import { bondWithResultTerm, deployKeyOf, transferWithResultTerm, unbondWithResultTerm } from "@vedette/client";
import { blockFixture, deployFixture, FakeNode, type FakeServices, lightBlockFixture } from "@vedette/client/fakes";
import { fromHex, toHex, vaultAddressOfPublicKey, writeKeyFiles } from "@vedette/crypto";
import { checkDeploySignature, f1r3node } from "@vedette/protocol";
import { EList, ETuple, emptyBitSet, GBool, GString, nil, type Par, parOfExpr } from "@vedette/terms";
import { afterAll, expect, test } from "vitest";
import { exitCodes } from "../exitCodes.js";
import { runCommand, runOnFake, testKey } from "./testing/runCommand.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-deploy-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string, mode = 0o600): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

const program = file("program.rho", "new x in { x!(1) }");
const keyFile = file("my.key", `${testKey}\n`);
const environment = { VEDETTE_PRIVATE_KEY: testKey };
const { publicKey } = deployKeyOf(fromHex(testKey));
const own = vaultAddressOfPublicKey(publicKey)!;
const bob = vaultAddressOfPublicKey(new Uint8Array(65).fill(0x22))!;

const refusal = (...messages: string[]) => ({ message: { case: "error" as const, value: { messages } } });
const unknownDeploy = refusal("Couldn't find block containing deploy with id: 3045");

/** How the chain of {@link fakeChain} treats the deploy that it is given. */
interface Fate {
  readonly cost?: bigint;
  readonly errored?: boolean;
  readonly systemDeployError?: string;
  /** The data at its deploy id. */
  readonly data?: readonly Par[];
  readonly isFinalized?: boolean;
}

/** A chain with a next block that holds the deploy; `received` is the received data. */
function fakeChain(fate: Fate = {}): { services: FakeServices; received: DeployDataProto[]; proposals: boolean[] } {
  const received: DeployDataProto[] = [];
  const proposals: boolean[] = [];
  const { cost = 162n, errored = false, systemDeployError = "", isFinalized = true } = fate;
  const inBlock = () =>
    deployFixture({ sig: toHex(received[0]!.sig), term: received[0]!.term, cost, errored, systemDeployError });
  const deploys: FakeServices["deploys"] = {
    async *getBlocks() {
      yield { message: { case: "blockInfo", value: lightBlockFixture() } };
    },
    doDeploy: (request) => {
      received.push(request);
      return { message: { case: "result", value: `Success! DeployId is: ${toHex(request.sig)}` } };
    },
    findDeploy: ({ deployId }) => {
      const isKnown = received.some(({ sig }) => toHex(sig) === toHex(deployId));
      return isKnown
        ? { message: { case: "blockInfo", value: lightBlockFixture({ blockNumber: 18n }) } }
        : unknownDeploy;
    },
    isFinalized: () => ({ message: { case: "isFinalized", value: isFinalized } }),
    getBlock: () => ({ message: { case: "blockInfo", value: blockFixture({ blockNumber: 18n }, [inBlock()]) } }),
    getDataAtName: () =>
      fate.data === undefined
        ? refusal("None.get")
        : { message: { case: "payload", value: { par: fate.data.map(parMessage) } } },
  };
  const propose: NonNullable<FakeServices["proposals"]>["propose"] = ({ isAsync }) => {
    proposals.push(isAsync);
    return { message: { case: "result", value: `Success! Block ${"aa".repeat(32)} created and added.` } };
  };
  return { services: { deploys, proposals: { propose } }, received, proposals };
}

const tuple = (...items: Par[]) => parOfExpr(new ETuple(items, emptyBitSet, false));
const done = tuple(parOfExpr(new GBool(true)), nil);
const refused = tuple(parOfExpr(new GBool(false)), parOfExpr(new GString("Insufficient funds")));

test("the published example deploys a file", async () => {
  const { services, received } = fakeChain();
  const run = await runOnFake(services, ["deploy", "-f", program, "--private-key", testKey]);
  const [deploy] = received;
  expect(deploy).toMatchObject({
    term: "new x in { x!(1) }",
    sigAlgorithm: "secp256k1",
    phloLimit: 500_000n,
    phloPrice: 1n,
    validAfterBlockNumber: 16n,
    shardId: "root",
  });
  const { sig: signature, ...rest } = deploy!;
  expect(toHex(rest.deployer)).toBe(toHex(publicKey));
  expect(checkDeploySignature({ ...rest, signature, algorithm: "secp256k1" }, f1r3node)).toBe(true);
  expect(run).toEqual({
    exitCode: 0,
    output: `Response: Success! DeployId is: ${toHex(signature)}\n`,
    errors: "",
  });
});

test("rnode's form deploys a file, too", async () => {
  const { services, received } = fakeChain();
  const options = ["--phlo-limit=9", "--phlo-price", "2", "--valid-after-block-number", "-1", "--shard-id", "x"];
  const run = await runOnFake(services, ["deploy", program, "--private-key-path", keyFile, ...options]);
  expect(run.exitCode).toBe(0);
  expect(received[0]).toMatchObject({ phloLimit: 9n, phloPrice: 2n, validAfterBlockNumber: -1n, shardId: "x" });
});

test("a program from the standard input, a key from the environment, an answer for programs", async () => {
  const { services, received } = fakeChain();
  const run = await runOnFake(services, ["deploy", "-", "--json"], { environment, input: "Nil" });
  expect(received[0]!.term).toBe("Nil");
  expect(JSON.parse(run.output)).toEqual({
    deployId: toHex(received[0]!.sig),
    status: "accepted",
    result: "notFinal",
  });
});

test("an encrypted key prompts for its password, or takes it from the environment", async () => {
  const { encryptedKey } = writeKeyFiles(folder, fromHex(testKey), "secret");
  const deploy = ["deploy", program, "--private-key-file", encryptedKey];
  for (const surroundings of [{ secrets: ["secret"] }, { environment: { VEDETTE_KEY_PASSWORD: "secret" } }]) {
    const { services, received } = fakeChain();
    expect((await runOnFake(services, deploy, surroundings)).exitCode).toBe(0);
    expect(toHex(received[0]!.deployer)).toBe(toHex(publicKey));
  }
  const wrong = await runOnFake(fakeChain().services, deploy, { secrets: ["guess"] });
  expect(wrong).toMatchObject({ exitCode: 1, output: "" });
  expect(wrong.errors).toMatch(/cannot open key file .*: wrong password/);
});

test("deploy waits for the result and prints its cost", async () => {
  const { services, received } = fakeChain();
  const run = await runOnFake(services, ["deploy", program, "--wait"], { environment });
  const id = toHex(received[0]!.sig);
  expect(run.exitCode).toBe(0);
  expect(run.output).toBe(`Deploy id: ${id}\nStatus: finalized\nBlock: #18 ${"aa".repeat(32)}\nCost: 162\n`);
  expect(run.errors).toBe(`Success! DeployId is: ${id}\nIn block #18 ${"aa".repeat(32)}\n`);
});

test("a deploy that failed in its block is a failure", async () => {
  for (const fate of [{ errored: true }, { systemDeployError: "Deploy payment failed: Insufficient funds" }]) {
    const run = await runOnFake(fakeChain(fate).services, ["deploy-and-wait", program, "--json"], { environment });
    expect(run.exitCode).toBe(exitCodes.noEffect);
    const status = fate.errored === true ? "failedSoFar" : "finalized";
    const said = { status, result: "noEffect", errored: false, outcome: null, ...fate };
    expect(JSON.parse(run.output)).toMatchObject(said);
  }
});

// A second is the minimum wait: the tests that wait this long run concurrently.
test.concurrent("a deploy with an unknown fate at the deadline keeps its id", async () => {
  const { services, received } = fakeChain({ isFinalized: false });
  const run = await runOnFake(services, ["deploy", program, "--wait", "--wait-timeout", "1", "--json"], {
    environment,
  });
  const deployId = toHex(received[0]!.sig);
  expect(run.exitCode).toBe(exitCodes.notFinal);
  expect(JSON.parse(run.output)).toMatchObject({ result: "notFinal", error: { code: "waitedTooLong", deployId } });
  expect(JSON.parse(run.output).error.message).toContain(`vedette deploy-status ${deployId}`);
});

test("full-deploy requests the block, and goes on where another proposal is ahead", async () => {
  const { services, proposals } = fakeChain({ isFinalized: false });
  const run = await runOnFake(services, ["full-deploy", "-f", program, "--json"], { environment });
  expect(JSON.parse(run.output)).toMatchObject({ status: "included", blockNumber: 18, cost: 162 });
  expect(proposals).toEqual([false]);
  const busy = {
    ...fakeChain().services,
    proposals: { propose: () => refusal("Failure: another propose is in progress") },
  };
  expect((await runOnFake(busy, ["full-deploy", "-f", program], { environment })).exitCode).toBe(0);
});

test("propose prints the node's words; rnode's flag disables waiting", async () => {
  const { services, proposals } = fakeChain();
  const response = `Success! Block ${"aa".repeat(32)} created and added.`;
  const run = await runOnFake(services, ["propose", "--private-key", testKey]);
  expect(run).toEqual({ exitCode: 0, output: `Response: ${response}\n`, errors: "" });
  const json = await runOnFake(services, ["propose", "--print-unmatched-sends", "--json"]);
  expect(JSON.parse(json.output)).toEqual({ response, blockHash: "aa".repeat(32) });
  expect(proposals).toEqual([false, true]);
});

test.each([
  ["Failure: NoNewDeploys (seqNum 4)", "No deploy waits", "`vedette deploy -f <file>`"],
  ["Failure: NotBonded (seqNum 4)", "has no stake", "`vedette bond --stake <amount>`"],
  ["Failure: NotEnoughNewBlocks (seqNum 4)", "It is not the turn", "Wait for blocks of the others"],
  ["Failure: TooFarAheadOfLastFinalized (seqNum 4)", "too many blocks ahead", "most of the stake"],
  ["Failure: InternalDeployError (seqNum 4)", "could not be executed", "Propose once more"],
  ["Failure: BugError (seqNum -1)", "did not expect", "log"],
  ["Failure: NotSynchronized (seqNum 4): not in sync", "does not know yet", "in sync"],
  ["Failure: another propose is in progress", "at this moment", "try again"],
  ["Propose error: read-only node.", "no validator key", "-p <gRPC port>"],
  ["Failure: casper instance is not available.", "still joins", "`vedette status`"],
])("propose that makes no block prints the node's words %j, the cause and the remedy", async (said, cause, remedy) => {
  const nothing = { proposals: { propose: () => refusal(said) } };
  const run = await runOnFake(nothing, ["propose"]);
  expect(run).toMatchObject({ exitCode: 1, output: "" });
  const [first, second, third, ...rest] = run.errors.split("\n");
  expect(first).toBe(`vedette: ${said}`);
  expect([second, third].map((line) => /^[A-Z].*[.)]$/.test(line!))).toEqual([true, true]);
  expect(second).toContain(cause);
  expect(third).toContain(remedy);
  expect(rest).toEqual([""]);
  const json = JSON.parse((await runOnFake(nothing, ["propose", "--json"])).output);
  expect(json.error).toMatchObject({ code: "noBlock", message: [said, second, third].join("\n") });
});

test("a refusal without an explanation here is printed unchanged", async () => {
  const odd = { proposals: { propose: () => refusal("Failure: constructor (seqNum 4)") } };
  expect((await runOnFake(odd, ["propose"])).errors).toBe("vedette: Failure: constructor (seqNum 4)\n");
});

test("a transfer prints what the vaults answered", async () => {
  const { services, received } = fakeChain({ data: [done] });
  const transfer = ["transfer", "--to", bob, "--amount", "1.5ASI", "--wait"];
  const run = await runOnFake(services, transfer, { environment });
  expect(received[0]!.term).toBe(transferWithResultTerm(own, bob, 150_000_000n));
  expect(run.exitCode).toBe(0);
  expect(run.output).toMatch(/^Transfer of 150000000 \(1\.5 ASI\) from 1111\w+ to 1111\w+\n[\s\S]*\nResult: done\n$/);
  const poor = await runOnFake(fakeChain({ data: [refused] }).services, [...transfer, "--json"], { environment });
  expect(poor.exitCode).toBe(exitCodes.refused);
  expect(JSON.parse(poor.output)).toMatchObject({
    result: "refused",
    from: own,
    to: bob,
    amount: 150_000_000,
    outcome: { status: "refused", reason: "Insufficient funds" },
  });
});

const moving = [
  ["transfer", ["--to", bob, "--amount", "1"]],
  ["bond", ["--stake", "1"]],
  ["unbond", []],
] as const;

test.concurrent.each(moving)("%s reports which of its four ends it came to", async (name, rest) => {
  const ends: [Fate, string[], string, number][] = [
    [{ data: [done] }, ["--wait"], "done", 0],
    [{ data: [refused] }, ["--wait"], "refused", exitCodes.refused],
    [{}, ["--wait"], "noEffect", exitCodes.noEffect],
    [{ data: [] }, ["--wait-included"], "noEffect", exitCodes.noEffect],
    [{ data: [done], isFinalized: false }, ["--wait-included"], "notFinal", 0],
    [{ data: [done], isFinalized: false }, ["--wait", "--wait-timeout", "1"], "notFinal", exitCodes.notFinal],
  ];
  for (const [fate, waiting, result, exitCode] of ends) {
    const run = await runOnFake(fakeChain(fate).services, [name, ...rest, ...waiting, "--json"], { environment });
    expect([JSON.parse(run.output).result, run.exitCode]).toEqual([result, exitCode]);
  }
});

test("a transfer without an answer of its contract is no success, also in later and other requests", async () => {
  const { services, received } = fakeChain();
  const run = await runOnFake(services, ["transfer", "--to", bob, "--amount", "1", "--wait"], { environment });
  expect(run.output).toContain("Status: finalized, but without effect: no response of the contract; check --dialect");
  for (const command of ["deploy-status", "wait"]) {
    const later = await runOnFake(services, [command, toHex(received[0]!.sig), "--json"]);
    expect(later.exitCode).toBe(exitCodes.noEffect);
    expect(JSON.parse(later.output)).toMatchObject({ status: "finalized", result: "noEffect", outcome: null });
  }
});

/** A chain with a node that reports its network. */
function reportingChain(facts: object) {
  const { services, received } = fakeChain();
  const value = { address: "", networkId: "", shardId: "root", peers: 0, nodes: 0, ...facts };
  const deploys: FakeServices["deploys"] = {
    ...services.deploys,
    status: () => ({ message: { case: "status", value } }),
  };
  return { services: { ...services, deploys }, received };
}

test.each([
  ["rnode", {}],
  ["f1r3node", { nativeTokenName: "Coin", epochLength: 10 }],
] as const)("terms use the names of %s where the node reports that network", async (dialect, facts) => {
  const terms = [
    transferWithResultTerm(own, bob, 1n, dialect),
    bondWithResultTerm(1n, dialect),
    unbondWithResultTerm(dialect),
  ];
  for (const [index, [name, rest]] of moving.entries()) {
    const { services, received } = reportingChain(facts);
    await runOnFake(services, [name, ...rest], { environment });
    await runOnFake(services, [name, ...rest, "--dialect", "f1r3node"], { environment });
    expect(received[0]!.term).toBe(terms[index]);
    expect(received[1]!.term).toContain(name === "transfer" ? "rho:vault:system" : "rho:system:pos");
  }
});

test("amounts are in the token that the node reports", async () => {
  const facts = { nativeTokenName: "Fire Coin", nativeTokenSymbol: "F1R3", nativeTokenDecimals: 3, epochLength: 10 };
  const { services, received } = reportingChain(facts);
  const act = (...args: string[]) => runOnFake(services, args, { environment });
  const transfer = await act("transfer", "--to", bob, "--amount", "1.5F1R3");
  expect(received[0]!.term).toBe(transferWithResultTerm(own, bob, 1_500n, "f1r3node"));
  expect(transfer.output).toMatch(/^Transfer of 1500 \(1\.5 F1R3\) from /);
  expect((await act("bond", "--stake", "2000")).output).toMatch(/^Bond of 2000 \(2 F1R3\)/);
  const wrong = await act("transfer", "--to", bob, "--amount", "1.5ASI");
  expect([wrong.exitCode, received.length]).toEqual([exitCodes.failure, 2]);
  expect(wrong.errors).toContain("--amount must be a whole number from 1 to 9223372036854775807");
  expect(wrong.errors).toContain("or in F1R3, the network's token, with 3 digits behind the point at most");
});

test("where the node of an f1r3node network reports no token, amounts are in the smallest unit", async () => {
  const { services } = fakeChain();
  const act = (amount: string) =>
    runOnFake(services, ["transfer", "--dialect", "f1r3node", "--to", bob, "--amount", amount], { environment });
  expect((await act("150")).output).toMatch(/^Transfer of 150 from /);
  expect((await act("1ASI")).errors).toContain("as the network's token is not known");
});

test("a deploy is handed to several nodes; one that takes it is enough", async () => {
  const [first, second] = [fakeChain(), fakeChain()];
  const transfer = ["transfer", "--to", bob, "--amount", "1"];
  await using other = await FakeNode.start(second.services);
  const also = ["--additional-node", `${other.host}:${other.port}`, "--additional-node", "127.0.0.1:1"];
  const run = await runOnFake(first.services, [...transfer, ...also], { environment });
  expect(run.exitCode).toBe(0);
  expect(run.errors).toMatch(/^127\.0\.0\.1:1 did not take the deploy: no node at/);
  expect(second.received[0]!.sig).toEqual(first.received[0]!.sig);
  const unreachable = await runCommand(
    [...transfer, "-H", "127.0.0.1", "-p", "1", "--additional-node", "127.0.0.1:2"],
    {
      environment,
    },
  );
  expect([unreachable.exitCode, unreachable.output]).toEqual([1, ""]);
  const rescued = [
    "-H",
    "127.0.0.1",
    "-p",
    "1",
    "--additional-node",
    `${other.host}:${other.port}`,
    "--valid-after-block-number",
    "1",
  ];
  const saved = await runCommand([...transfer, ...rescued], { environment });
  expect([saved.exitCode, saved.errors.includes("The first node did not take the deploy")]).toEqual([0, true]);
  const wrong = await runCommand([...transfer, "--additional-node", "nowhere"], { environment });
  expect([wrong.exitCode, wrong.errors.includes("It must be host:port.")]).toEqual([1, true]);
});

test("bond and unbond send the terms of the chapter", async () => {
  const { services, received } = fakeChain({ data: [done] });
  expect((await runOnFake(services, ["bond", "--stake", "1000", "--wait"], { environment })).exitCode).toBe(0);
  expect(received[0]!.term).toBe(bondWithResultTerm(1000n));
  const leaving = fakeChain();
  expect((await runOnFake(leaving.services, ["unbond"], { environment })).output).toMatch(
    /^Unbond\nResponse: Success!/,
  );
  expect(leaving.received[0]!.term).toBe(unbondWithResultTerm());
});

test("the largest amount is sent and shown without loss", async () => {
  const { services, received } = fakeChain();
  const amount = "9223372036854775807";
  const run = await runOnFake(services, ["transfer", "--to-address", bob, "--amount", amount, "--json"], {
    environment,
  });
  expect(received[0]!.term).toContain(`"${bob}", ${amount}, *key`);
  expect(run.output).toContain(`"amount":${amount}`);
});

test.concurrent("deploy-status, wait and find-deploy", async () => {
  const { services } = fakeChain({ isFinalized: false });
  const id = "3045".repeat(18);
  const pending = await runOnFake(services, ["deploy-status", id]);
  expect(pending).toEqual({
    exitCode: 0,
    output: `Deploy id: ${id}\nStatus: pending: not in a block yet\n`,
    errors: "",
  });
  const json = await runOnFake(services, ["get-deploy", "-d", id, "--format", "json"]);
  expect(JSON.parse(json.output)).toEqual({ deployId: id, status: "pending", result: "notFinal" });
  const find = await runOnFake(services, ["find-deploy", "--deploy-id", id, "--json"]);
  expect(find.exitCode).toBe(1);
  expect(JSON.parse(find.output)).toEqual({
    error: { code: "refused", message: "Couldn't find block containing deploy with id: 3045" },
  });
  const { services: holding, received } = fakeChain({ isFinalized: false });
  await runOnFake(holding, ["deploy", program], { environment });
  const included = await runOnFake(holding, ["wait", toHex(received[0]!.sig), "--included", "--json"]);
  expect(JSON.parse(included.output)).toMatchObject({ status: "included", blockNumber: 18 });
  const late = await runOnFake(holding, ["wait", toHex(received[0]!.sig), "--wait-timeout", "1"]);
  expect(late.exitCode).toBe(exitCodes.notFinal);
  expect(late.errors).toMatch(/The deploy was not finalized within 1 s/);
  expect((await runOnFake(holding, ["wait", "xyz"])).errors).toMatch(/The deploy id must be the hexadecimal digits/);
});

test("deploy-status describes in one line what the deploy did", async () => {
  const { services, received } = fakeChain();
  const run = await runOnFake(services, ["transfer", "--to", bob, "--amount", "1.5ASI"], { environment });
  expect(run.exitCode).toBe(0);
  const sig = toHex(received[0]!.sig);
  const status = await runOnFake(services, ["deploy-status", sig]);
  expect(status.output).toMatch(/\nSummary: asked to send 1\.5 ASI from 1111\w+ to 1111\w+\n/);
  const json = JSON.parse((await runOnFake(services, ["deploy-status", sig, "--json"])).output);
  expect(json.summary).toMatchObject([{ type: "transfer", to: bob, amount: 150_000_000, outcome: "ran" }]);
});

test("a deploy that a merge gave up is rejected, for any content of its block", async () => {
  const { services, received } = fakeChain();
  await runOnFake(services, ["deploy", program], { environment });
  const sig = toHex(received[0]!.sig);
  const merging = "cc".repeat(32);
  const deploys: FakeServices["deploys"] = {
    ...services.deploys,
    lastFinalizedBlock: () => ({ message: { case: "blockInfo", value: blockFixture({ blockNumber: 19n }, []) } }),
    async *getBlocksByHeights({ startBlockNumber, endBlockNumber }) {
      expect([startBlockNumber, endBlockNumber]).toEqual([19n, 19n]);
      const value = lightBlockFixture({ blockHash: merging, blockNumber: 19n, rejectedDeploys: [{ sig }] });
      yield { message: { case: "blockInfo", value } };
    },
  };
  const status = await runOnFake({ deploys }, ["deploy-status", sig]);
  expect(status.exitCode).toBe(exitCodes.noEffect);
  expect(status.output).toContain("Status: rejected by a merge, without effect; sign it again");
  const wait = await runOnFake({ deploys }, ["wait", sig]);
  expect(wait.exitCode).toBe(exitCodes.noEffect);
  expect(wait.errors).toContain(`the merge of block ${merging} rejected it`);

  const pending = {
    message: { case: "blockInfo" as const, value: lightBlockFixture({ blockNumber: 18n }) },
    finalizationState: DeployFinalizationStateProto.DEPLOY_STATE_PENDING,
  };
  const comingAgain = { deploys: { ...deploys, findDeploy: () => pending } };
  const again = await runOnFake(comingAgain, ["deploy-status", sig]);
  expect(again.output).toContain("Status: pending: rejected by a merge, included again automatically; wait");
});

test("Ctrl-C ends a wait with the exit code of an interruption", async () => {
  const controller = new AbortController();
  const findDeploy = () => {
    controller.abort();
    return unknownDeploy;
  };
  const id = "3045".repeat(18);
  const run = await runOnFake({ deploys: { findDeploy } }, ["wait", id, "--json"], { signal: controller.signal });
  expect(run.exitCode).toBe(130);
  expect(JSON.parse(run.output)).toEqual({ error: { code: "cancelled", message: "Interrupted" } });
});

test("a deploy that cannot be sent fails with an error that does not show the key", async () => {
  const open = file("open.key", testKey, 0o644);
  const cases: [string[], RegExp][] = [
    [["deploy", program], /^vedette: Private key is missing: give --private-key-file/],
    [["deploy", program, "--private-key", testKey.slice(1)], /invalid private key in --private-key: expected 64 hex/],
    [["deploy", program, "--private-key", `${testKey}00`], /invalid private key in --private-key/],
    [["deploy", program, "--private-key", "00".repeat(32)], /invalid private key/],
    [
      ["deploy", program, "--private-key-file", open],
      /is readable by every user of this machine \(mode 644\): run `chmod 600/,
    ],
    [["deploy", program, "--private-key-file", join(folder, "none")], /cannot read private key file .*ENOENT/],
    [["deploy", "--private-key-file", keyFile], /Give the file to deploy/],
    [["deploy", testKey, "--private-key-file", keyFile], /Error with given file: <hidden>\n.*ENOENT/],
    [
      ["deploy", folder, "--private-key-file", keyFile],
      /Error with given file: .*\n.*it is a directory, not a program/,
    ],
    [["deploy", file("empty.rho", " \n"), "--private-key-file", keyFile], /empty term/],
    [["deploy", file("latin.rho", ""), "-f", program, "--private-key-file", keyFile], /empty term/],
    [
      ["transfer", "--to", `${bob}x`, "--amount", "1", "--private-key-file", keyFile],
      /The recipient ".*…" is no vault address/,
    ],
    [
      ["transfer", "--to", testKey, "--amount", "1", "--private-key-file", keyFile],
      /The recipient "67e565822988…" is no/,
    ],
    [["transfer", "--amount", "1", "--private-key-file", keyFile], /Give the recipient/],
  ];
  for (const [args, expected] of cases) {
    const { services, received } = fakeChain();
    const run = await runOnFake(services, args);
    expect(run.errors).toMatch(expected);
    expect(run).toMatchObject({ exitCode: 1, output: "" });
    expect(received).toEqual([]);
  }
});

test("usage errors are those of the command line, for programs too", async () => {
  for (const [args, expected] of [
    [["transfer", "--to", bob, "--amount", "1.5"], /argument '1\.5' is invalid\. It must be from 1 to/],
    [["transfer", "--to", bob, "--amount", "0"], /is invalid/],
    [["transfer", "--to", bob, "--amount", testKey], /argument '<hidden>' is invalid/],
    [["transfer", "--to", bob], /required option '--amount <amount>' not specified/],
    [["bond", "--stake", "-1"], /is invalid/],
    [["deploy", "--phlo-limit", "0"], /It must be a whole number from 1 to/],
    [["deploy", "--port", "65536"], /It must be a whole number from 1 to 65535/],
    [["deploy", `--privat-key=${testKey}`], /unknown option '--privat-key=<hidden>'/],
  ] as const) {
    const run = await runCommand(args);
    expect(run).toMatchObject({ exitCode: 1, output: "" });
    expect(run.errors).toMatch(expected);
    const json = await runCommand([...args, "--json"]);
    expect(json.errors).toBe("");
    expect(JSON.parse(json.output).error).toMatchObject({ code: "usage", message: expect.stringMatching(expected) });
  }
});

test("a node's refusal is printed as it is", async () => {
  const { services } = fakeChain();
  const text = "Phlo price 0 is less than minimum price 1.";
  const refusing = { deploys: { ...services.deploys, doDeploy: () => refusal(text) } };
  const deploy = ["deploy", program, "--phlo-price", "0"];
  expect(await runOnFake(refusing, deploy, { environment })).toEqual({
    exitCode: 1,
    output: "",
    errors: `vedette: ${text}\n`,
  });
  const json = await runOnFake(refusing, [...deploy, "--json"], { environment });
  expect(JSON.parse(json.output)).toEqual({ error: { code: "refused", message: text } });
});

test("a node that is not there, or has no blocks, is reported", async () => {
  const gone = await runCommand(["deploy", program, "-H", "127.0.0.1", "-p", "1", "--json"], { environment });
  expect(gone.exitCode).toBe(1);
  expect(JSON.parse(gone.output).error).toMatchObject({ code: "unreachable" });
  expect(JSON.parse(gone.output).error.message).toMatch(/^no node at 127\.0\.0\.1:1 \(/);
  const joining = await runOnFake({ deploys: { async *getBlocks() {} } }, ["deploy", program], { environment });
  expect(joining.errors).toMatch(/has no blocks yet; wait until it has joined its network/);
});

test("a failed deploy is shown with its reason, its place, and its earlier output", async () => {
  const { services } = fakeChain({ errored: true });
  const faults = [
    { class: "SyntaxError", text: "syntax error(): | at 1:5-1:6", line: 1, column: 5 },
    { class: "ReduceError", text: "Error: Operator `+` is not defined on Bool.", line: 0, column: 0 },
  ];
  const prints = [{ stream: "stdout", text: '"begun"' }];
  const notes: FakeServices["notes"] = {
    deployNote: () => ({ message: { case: "note", value: { isKnown: true, faults, prints, isCut: false } } }),
  };
  const args = ["deploy", "-f", program, "--wait-included"];
  const run = await runOnFake({ ...services, notes }, args, { environment });
  expect(run.exitCode).toBe(exitCodes.noEffect);
  expect(run.output.split("\n").slice(1)).toMatchObject([
    "Status: included, but it failed",
    expect.stringMatching(/^Block: #18 /),
    "Cost: 162",
    "Error: SyntaxError at 1:5: syntax error(): | at 1:5-1:6",
    "Error: ReduceError: Error: Operator `+` is not defined on Bool.",
    'stdout: "begun"',
    "",
  ]);
  const shown = await runOnFake({ ...fakeChain({ errored: true }).services, notes }, args, {
    environment,
    isTerminal: true,
    paint: (colour, text) => `<${colour}>${text}</>`,
  });
  expect(shown.output.split("\n").slice(1)).toMatchObject([
    "<dim>Status     </><red>included, but it failed</>",
    expect.stringMatching(/^<dim>Block {6}<\/>#18 /),
    "<dim>Cost       </>162",
    "<dim>Error      </><red>SyntaxError at 1:5: syntax error(): | at 1:5-1:6</>",
    "<dim>Error      </><red>ReduceError: Error: Operator `+` is not defined on Bool.</>",
    '<dim>stdout     </><cyan>"begun"</>',
    "",
  ]);
  const again = fakeChain({ errored: true });
  const json = await runOnFake({ ...again.services, notes }, [...args, "--json"], { environment });
  expect(JSON.parse(json.output)).toMatchObject({
    errors: [
      { class: "SyntaxError", line: 1, column: 5 },
      { class: "ReduceError", line: null },
    ],
    prints,
  });
});

test("names that a deploy wrote and read are shown, if the node reports them", async () => {
  const { services } = fakeChain({});
  const names = [
    { name: '@"shelf"', writes: 2, reads: 0 },
    { name: "@7", writes: 1, reads: 1 },
  ];
  const noteWith = (areNamesKnown: boolean): NonNullable<FakeServices["notes"]> => ({
    deployNote: () => {
      const known = areNamesKnown ? { names, areNamesKnown } : {};
      return { message: { case: "note", value: { isKnown: true, faults: [], prints: [], isCut: false, ...known } } };
    },
  });
  const args = ["deploy", "-f", program, "--wait-included"];
  const run = await runOnFake({ ...services, notes: noteWith(true) }, args, { environment });
  expect(run.output).toContain('\nWrote: @"shelf", @7\nRead: @7\n');
  const json = async (isKnown: boolean) => {
    const { output } = await runOnFake({ ...fakeChain({}).services, notes: noteWith(isKnown) }, [...args, "--json"], {
      environment,
    });
    return JSON.parse(output).names;
  };
  expect([await json(true), await json(false)]).toEqual([names, null]);
});

test("what a deploy sent to its id is shown as Rholang, also where the node keeps no notes", async () => {
  const list = parOfExpr(new EList([parOfExpr(new GString("a"))], emptyBitSet, false, undefined));
  const { services } = fakeChain({ data: [list] });
  const run = await runOnFake(services, ["deploy", "-f", program, "--wait"], { environment });
  expect(run).toMatchObject({ exitCode: 0, output: expect.stringContaining('\nData: ["a"]\n') });
  const again = fakeChain({ data: [list] });
  const json = await runOnFake(again.services, ["deploy", "-f", program, "--wait", "--json"], { environment });
  expect(JSON.parse(json.output)).toMatchObject({ data: ['["a"]'], errors: null, prints: null });
});
