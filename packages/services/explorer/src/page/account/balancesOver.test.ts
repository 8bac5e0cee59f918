import { expect, test } from "vitest";
import { balancesOver } from "./balancesOver.js";

test("balances are in the order of their heights, in tokens", () => {
  const state = (block_number: string, unbonded_balance_dust: string) => ({ block_number, unbonded_balance_dust });
  const states = [state("9", "250000000"), state("3", "100000000")];
  expect(balancesOver(states, 8)).toEqual([
    [3, 9],
    [1, 2.5],
  ]);
  // The newest balance holds up to the head.
  expect(balancesOver(states, 8, 12)).toEqual([
    [3, 9, 12],
    [1, 2.5, 2.5],
  ]);
  expect(balancesOver(states, 7)).toEqual([
    [3, 9],
    [10, 25],
  ]);
});
