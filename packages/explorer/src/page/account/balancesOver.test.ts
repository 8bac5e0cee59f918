import { expect, test } from "vitest";
import { balancesOver } from "./balancesOver.js";

test("balances stand in the order of their heights, in coins", () => {
  const state = (block_number: string, unbonded_balance_dust: string) => ({ block_number, unbonded_balance_dust });
  expect(balancesOver([state("9", "250000000"), state("3", "100000000")])).toEqual([
    [3, 9],
    [1, 2.5],
  ]);
});
