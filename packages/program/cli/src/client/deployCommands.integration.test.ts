import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DeployFinalizationStateProto } from "@vedette/api/grpc";
import { blockFixture, FakeNode, type FakeServices, lightBlockFixture } from "@vedette/client/fakes";
import { fromHex, toHex, writeKeyFiles } from "@vedette/crypto";
import { checkDeploySignature, f1r3node } from "@vedette/protocol";
import { afterAll, expect, test } from "vitest";
import { exitCodes } from "../exitCodes.js";
import { bob, environment, fakeChain, publicKey, refusal, unknownDeploy } from "./testing/fakeDeployChain.js";
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
  for (const course of [{ errored: true }, { systemDeployError: "Deploy payment failed: Insufficient funds" }]) {
    const run = await runOnFake(fakeChain(course).services, ["deploy-and-wait", program, "--json"], { environment });
    expect(run.exitCode).toBe(exitCodes.noEffect);
    const status = course.errored === true ? "failedSoFar" : "finalized";
    const said = { status, result: "noEffect", errored: false, outcome: null, ...course };
    expect(JSON.parse(run.output)).toMatchObject(said);
  }
});

// A second is the minimum wait: the tests that wait this long run concurrently.
test.concurrent("a deploy with an unknown status at the deadline keeps its id", async () => {
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
