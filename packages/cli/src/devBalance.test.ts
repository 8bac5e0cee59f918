import { expect, test } from "vitest";
import { readAmount } from "./client/givenAmount.js";
import { devBalance } from "./devBalance.js";

test("balances of a chain for development are read in its own token", () => {
  const fiveIn = (symbol: string) => readAmount(`5${symbol}`)!;
  expect(devBalance(fiveIn("ASI"), { dialect: "rnode-scala" })).toBe(500_000_000n);
  expect(devBalance(fiveIn("ASI"), { dialect: "rnode-scala", fork: "http://a" })).toBe(500_000_000n);
  expect(devBalance(fiveIn("F1R3"), { dialect: "rnode-rust" })).toBe(500_000_000n);
  expect(() => devBalance(fiveIn("ASI"), { dialect: "rnode-rust" })).toThrow("--balance must be");
  expect(() => devBalance(fiveIn("F1R3"), { dialect: "rnode-rust", fork: "http://a" })).toThrow("is not known");
  expect(devBalance(readAmount("7")!, { dialect: "rnode-rust", fork: "http://a" })).toBe(7n);
});
