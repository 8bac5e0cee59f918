import { expect, test } from "vitest";
import { readAmount } from "./client/givenAmount.js";
import { devBalance } from "./devBalance.js";

test("balances of a chain for development are read in its own token", () => {
  const fiveIn = (symbol: string) => readAmount(`5${symbol}`)!;
  expect(devBalance(fiveIn("ASI"), { dialect: "rnode" })).toBe(500_000_000n);
  expect(devBalance(fiveIn("ASI"), { dialect: "rnode", fork: "http://a" })).toBe(500_000_000n);
  expect(devBalance(fiveIn("F1R3"), { dialect: "f1r3node" })).toBe(500_000_000n);
  expect(() => devBalance(fiveIn("ASI"), { dialect: "f1r3node" })).toThrow("--balance must be");
  expect(() => devBalance(fiveIn("F1R3"), { dialect: "f1r3node", fork: "http://a" })).toThrow("is not known");
  expect(devBalance(readAmount("7")!, { dialect: "f1r3node", fork: "http://a" })).toBe(7n);
});
