import { areRecordingsThere } from "@vedette/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { testAddress } from "../contractTest/genesisState.js";
import { rnodeExecution } from "../form/rnodeExecution.js";
import { recordedReplay } from "../testing/recordedReplay.js";
import { TestChain } from "../testing/TestChain.js";
import { walletBalanceTerm, walletTransferTerm } from "../testing/walletTerms.js";
import { balances } from "./balances.js";
import { exploreDeploy } from "./exploreDeploy.js";

const addresses = ["u1", "u2", "zoe", "u3", "u1", "v1", "unfunded"].map((name) => testAddress(name));

describe("balances", () => {
  let chain: TestChain;
  beforeAll(() => {
    chain = new TestChain();
    const phloLimit = 3_000_000n;
    const transfer = (from: string, to: string, amount: bigint) => ({
      form: rnodeExecution,
      deployer: from,
      term: walletTransferTerm(testAddress(from), testAddress(to), amount),
      phloLimit,
    });
    chain.add({ deploys: [transfer("u1", "u2", 7n), transfer("u2", "zoe", 12_345n), transfer("zoe", "u3", 1n)] });
    chain.add({
      deploys: [transfer("u3", "u1", 10n ** 20n), { form: rnodeExecution, deployer: "u1", term: "Nil", phloLimit }],
    });
  });

  test("of our vaults are those that a wallet reads", () => {
    const read = addresses.map((address) => numberOf(chain.ask(walletBalanceTerm(address))));
    expect(balances(chain.states, { root: chain.root, form: rnodeExecution, addresses })).toEqual(read);
    expect(new Set(read).size).toBeGreaterThan(4);
    expect(read[2]).toBeGreaterThan(0n);
  });

  test("of our vaults are read without running anything", () => {
    const budget = {
      maxPending: 0,
      deadlineMs: 0,
      nowMs: () => 1,
      isCancelled: () => true,
      isOutOfMemory: () => true,
    };
    expect(balances(chain.states, { root: chain.root, form: rnodeExecution, addresses, budget })).toHaveLength(
      addresses.length,
    );
  });
});

if (areRecordingsThere)
  test("balances of other vaults are those that a wallet reads", () => {
    const [states, root] = (() => {
      let last: ReturnType<typeof recordedReplay> extends Iterable<infer Moment> ? Moment | undefined : never;
      for (const moment of recordedReplay("merge")) last = moment;
      return [last!.states, last!.block.body.state.postStateHash] as const;
    })();
    const anonymousKey = new Uint8Array(65).fill(4);
    const read = addresses.map((address) => {
      const exploration = {
        root,
        source: walletBalanceTerm(address),
        form: rnodeExecution,
        deployer: anonymousKey,
        signature: anonymousKey,
        timestamp: 0n,
      };
      const result = exploreDeploy(states, exploration);
      return result.kind === "values" ? numberOf(result.pars) : undefined;
    });
    expect(balances(states, { root, form: rnodeExecution, addresses })).toEqual(read);
    expect(read[0]).toBeGreaterThan(0n);
  });

function numberOf(pars: readonly { readonly exprs: readonly { readonly kind: string }[] }[]): bigint {
  const expr = pars[0]?.exprs[0] as { readonly kind: string; readonly value?: unknown } | undefined;
  if (typeof expr?.value !== "bigint") throw new TypeError(`a balance is ${expr?.kind}`);
  return expr.value;
}
