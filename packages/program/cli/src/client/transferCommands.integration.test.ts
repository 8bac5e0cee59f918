import { bondWithResultTerm, transferWithResultTerm, unbondWithResultTerm } from "@vedette/client";
import type { FakeServices } from "@vedette/client/fakes";
import { toHex } from "@vedette/crypto";
import { expect, test } from "vitest";
import { exitCodes } from "../exitCodes.js";
import { bob, type DeployCourse, done, environment, fakeChain, own, refused } from "./testing/fakeDeployChain.js";
import { runOnFake } from "./testing/runCommand.js";

test("a transfer prints what the vaults answered", async () => {
  const { services, received } = fakeChain({ data: [done] });
  const transfer = ["transfer", "--to", bob, "--amount", "1.5ASI", "--wait"];
  const run = await runOnFake(services, transfer, { environment });
  expect(received[0]!.term).toBe(transferWithResultTerm(own, bob, 150_000_000n, "rnode"));
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
  const ends: [DeployCourse, string[], string, number][] = [
    [{ data: [done] }, ["--wait"], "done", 0],
    [{ data: [refused] }, ["--wait"], "refused", exitCodes.refused],
    [{}, ["--wait"], "noEffect", exitCodes.noEffect],
    [{ data: [] }, ["--wait-included"], "noEffect", exitCodes.noEffect],
    [{ data: [done], isFinalized: false }, ["--wait-included"], "notFinal", 0],
    [{ data: [done], isFinalized: false }, ["--wait", "--wait-timeout", "1"], "notFinal", exitCodes.notFinal],
  ];
  for (const [course, waiting, result, exitCode] of ends) {
    const run = await runOnFake(fakeChain(course).services, [name, ...rest, ...waiting, "--json"], { environment });
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

test("bond and unbond send the terms of the chapter", async () => {
  const { services, received } = fakeChain({ data: [done] });
  expect((await runOnFake(services, ["bond", "--stake", "1000", "--wait"], { environment })).exitCode).toBe(0);
  expect(received[0]!.term).toBe(bondWithResultTerm(1000n, "rnode"));
  const leaving = fakeChain();
  expect((await runOnFake(leaving.services, ["unbond"], { environment })).output).toMatch(
    /^Unbond\nResponse: Success!/,
  );
  expect(leaving.received[0]!.term).toBe(unbondWithResultTerm("rnode"));
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
