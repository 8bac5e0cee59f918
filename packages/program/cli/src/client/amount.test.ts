import { asiToken } from "@vedette/client";
import { expect, test } from "vitest";
import { printAmount, unitsOf } from "./amount.js";
import { readAmount } from "./givenAmount.js";

const coin = { symbol: "Fire", decimals: 2 };
const read = (text: string, token = asiToken) => unitsOf(readAmount(text)!, "--amount", token);

test("amounts in both units", () => {
  expect(read("150000000")).toBe(150_000_000n);
  expect(read("1.5ASI")).toBe(150_000_000n);
  expect(read("0.00000001 asi")).toBe(1n);
  expect(read("92233720368ASI")).toBe(9_223_372_036_800_000_000n);
  expect(read("1.5FIRE", coin)).toBe(150n);
  for (const text of ["", "1.5", "-1", "1e9", "1e9ASI", "ASI", "1.,5ASI", "1,5ASI", "0x10", "1.5_ASI", "1.2.3ASI"])
    expect([text, readAmount(text)]).toEqual([text, undefined]);
});

test("an amount of another network's token, a finer or a larger one is refused", () => {
  expect(() => read("1.5ASI", coin)).toThrow(
    "--amount must be a whole number from 1 to 9223372036854775807 in the smallest unit, or in Fire, the network's token, with 2 digits behind the point at most",
  );
  for (const text of ["0", "0ASI", "1.000000001ASI", "123456789012ASI", "9223372036854775808", "1.5F1R3"])
    expect(() => read(text)).toThrow("or in ASI");
  expect(() => unitsOf(readAmount("1ASI")!, "--stake", undefined)).toThrow("as the network's token is not known");
  expect(unitsOf(readAmount("7")!, "--stake", undefined)).toBe(7n);
});

test("amounts are printed without loss, in the network's token", () => {
  expect(printAmount(150_000_000n, asiToken)).toBe("150000000 (1.5 ASI)");
  expect(printAmount(9_223_372_036_854_775_807n, asiToken)).toBe("9223372036854775807 (92233720368.54775807 ASI)");
  expect(printAmount(-5n, coin)).toBe("-5 (-0.05 Fire)");
  expect(printAmount(150n, { symbol: "C", decimals: 0 })).toBe("150 (150 C)");
  expect(printAmount(150n, undefined)).toBe("150");
});
