import { beforeAll, describe, expect, test } from "vitest";
import { rnodeExecution } from "../form/rnodeExecution.js";
import { TestChain } from "../testing/TestChain.js";
import { callsRegistry } from "./callsRegistry.js";
import { reportRegistrations } from "./registrations.js";

let chain: TestChain;
beforeAll(() => {
  chain = new TestChain();
});

/** Deploys programs in one block. */
function registered(...terms: readonly string[]) {
  const { block } = chain.add({ deploys: terms.map((term) => ({ deployer: "u1", term })) });
  const calls = block.body.deploys.map(({ log }) => callsRegistry(log));
  const replay = { block, preState: block.body.state.preStateHash, invalidBlocks: [], form: rnodeExecution };
  return { calls, found: reportRegistrations(chain.states, replay) };
}

const insert = "insert(`rho:registry:insertArbitrary`)";
const uri = { uri: expect.stringMatching(/^rho:id:[a-z0-9]{54}$/) as unknown, kind: "arbitrary" };

describe("registrations of a block", () => {
  test("are listed by deploy, each with its URI", () => {
    const { calls, found } = registered(
      `new ${insert}, answer in { insert!("one", *answer) | insert!("two", *answer) }`,
      `@"nothing"!("of the kind")`,
      `new ${insert}, answer in { insert!("three", bundle+{*answer}) | for (@uri <- answer) { @"kept"!(uri) } }`,
    );
    expect(calls).toEqual([true, false, true]);
    expect(found).toEqual([[uri, uri], [], [uri]]);
  });

  test("do not include those of a failed deploy, or with a wrong signature", () => {
    const { found } = registered(
      `new ${insert}, answer in { insert!("lost", *answer) | for (_ <- answer) { @1!("x".nth(9)) } }`,
      `new insert(\`rho:registry:insertSigned:secp256k1\`), answer in {
        insert!("00".hexToBytes(), (1, "data"), "00".hexToBytes(), *answer) }`,
    );
    expect(found).toEqual([[], []]);
  });

  test("are not taken from a program that imitates the registry", () => {
    const { found } = registered(
      `new ${insert}, answer in { insert!("one", *answer) | answer!(\`rho:id:of another contract\`) }`,
    );
    expect(found).toEqual([[]]);
  });
});
