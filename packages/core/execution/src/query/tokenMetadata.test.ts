import { f1r3nodeContracts } from "@vedette/contracts";
import { expect, test } from "vitest";
import { f1r3nodeGenesisState } from "../contractTest/f1r3nodeGenesisState.js";
import { f1r3nodeExecution } from "../form/f1r3nodeExecution.js";
import { faultTolerancePpm } from "./proofOfStake.js";
import { checkTokenMetadata, tokenMetadata } from "./tokenMetadata.js";

const nativeToken = { name: "Crème", symbol: "C.", decimals: 0 };
const { states, root } = f1r3nodeGenesisState(f1r3nodeContracts, { nativeToken, faultToleranceThresholdPpm: -670_000 });

test("a chain returns its token and its threshold as it was founded", () => {
  expect(tokenMetadata(states, root)).toEqual(nativeToken);
  expect(faultTolerancePpm(states, root, { form: f1r3nodeExecution })).toBe(-670_000n);
});

test("a node with another token in its configuration reports what differs", () => {
  expect(() => checkTokenMetadata(tokenMetadata(states, root), nativeToken)).not.toThrow();
  expect(() =>
    checkTokenMetadata(tokenMetadata(states, root), { ...nativeToken, symbol: "D", decimals: 8 }),
  ).toThrowErrorMatchingInlineSnapshot(
    `[ExecutionError: The token of this network is another one than configured (under casper.genesis-block-data): native-token-symbol is "D", in the chain "C."; native-token-decimals is 8, in the chain 0. Set what the chain has, or use the data directory of the other network]`,
  );
});

test("a state without the contract is an error of the query", () => {
  const without = f1r3nodeGenesisState(["Registry.rho"]);
  expect(() => tokenMetadata(without.states, without.root)).toThrow(
    expect.objectContaining({ failure: expect.objectContaining({ code: "query" }) }),
  );
});
