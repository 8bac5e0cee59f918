import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { rholang } from "../value/rholang.js";
import { TestChain } from "./TestChain.js";

const program = fileURLToPath(new URL("../../../../program/cli/bin/vedette.js", import.meta.url));
let chain: TestChain;
beforeAll(async () => {
  chain = await TestChain.start({ program, timeoutMs: 3_600_000, seed: "tests from TypeScript" });
});
beforeEach(() => chain.reset());
afterAll(() => chain.stop());

const counter = rholang`new id(\`rho:rchain:deployId\`) in { @"count"!(${1}) | for (@n <- @"count") { @"count"!(n + 1) | id!(n + 1) } }`;

test("a deploy answers with its data, its prints and its cost", async () => {
  const deployed = await chain.deploy(counter);
  expect(deployed).toMatchObject({ blockNumber: 1, errored: false, errors: [], data: [2n] });
  expect(deployed.cost).toBeGreaterThan(0);
  const printed = await chain.deploy('new out(`rho:io:stdout`) in { out!([1, "two"]) }', { from: chain.accounts[3]! });
  expect(printed.prints).toEqual([expect.stringContaining("two")]);
});

test("each test begins where the chain began, or was kept", async () => {
  expect(await chain.explore('new return in { for (@n <<- @"count") { return!(n) } }')).toEqual([]);
  await chain.deploy(counter);
  await chain.keep();
  await chain.deploy('for (@n <- @"count") { Nil }');
  await chain.reset();
  expect(await chain.explore('new return in { for (@n <<- @"count") { return!(n) } }')).toEqual([2n]);
});

test("a failed program has its reason, and one that no chain takes is refused", async () => {
  const failed = await chain.deploy('@0!("a" + 1)');
  expect(failed.errored).toBe(true);
  expect(failed.errors.join()).toContain("+");
  await expect(chain.deploy("new x in {")).rejects.toThrow("Parsing error");
});

test("coins and time are the tests' to give", async () => {
  const { address } = chain.accounts[1]!;
  const before = await chain.balance(address);
  await chain.give(address, 5n);
  expect(await chain.balance(address)).toBe(before + 5n);
  await chain.passTime(86_400_000);
  await chain.mine(2);
  const { blockInfo } = await chain.client.lastFinalizedBlock();
  expect(Number(blockInfo.timestamp)).toBeGreaterThan(Date.now() + 80_000_000);
});

test("a chain that does not start is reported with its output", async () => {
  await expect(TestChain.start({ program, timeoutMs: 3_600_000, fork: "nowhere" })).rejects.toThrow(
    /exit code 1:[\s\S]*no address of a node/,
  );
  await expect(TestChain.start({ program: "/no/such/program" })).rejects.toThrow(/npm install --save-dev vedette/);
});
