import { expect, test } from "vitest";
import { asiToken, nativeTokenOf, parseTokens, printTokens } from "./nativeToken.js";

test("a network's token is the one that its node reports, else that of rnode", () => {
  expect(nativeTokenOf({})).toEqual(asiToken);
  // Over gRPC, fields that are not sent are empty.
  expect(nativeTokenOf({ nativeTokenSymbol: "", nativeTokenDecimals: 0 })).toEqual(asiToken);
  expect(nativeTokenOf({ nativeTokenSymbol: "F1R3", nativeTokenDecimals: 8 })).toEqual({ symbol: "F1R3", decimals: 8 });
  expect(nativeTokenOf({ nativeTokenSymbol: "C", nativeTokenDecimals: 0 })).toEqual({ symbol: "C", decimals: 0 });
  for (const decimals of [-1, 19, 4_294_967_295, 1.5, Number.NaN])
    expect(nativeTokenOf({ nativeTokenSymbol: "C", nativeTokenDecimals: decimals })).toBeUndefined();
});

test("amounts are printed without loss, in tokens of any number of decimals", () => {
  const largest = 9_223_372_036_854_775_807n;
  expect([0, 3, 8, 18].map((decimals) => printTokens(largest, decimals))).toEqual([
    "9223372036854775807",
    "9223372036854775.807",
    "92233720368.54775807",
    "9.223372036854775807",
  ]);
  expect([0n, 1n, -5n, 150n].map((amount) => printTokens(amount, 2))).toEqual(["0", "0.01", "-0.05", "1.5"]);
  expect([0n, 10n].map((amount) => printTokens(amount, 0))).toEqual(["0", "10"]);
});

test("amounts are read as they are printed, and what is no amount is none", () => {
  for (const decimals of [0, 2, 8, 18])
    for (const amount of [0n, 1n, 99n, 150_000_000n, 9_223_372_036_854_775_807n])
      expect(parseTokens(printTokens(amount, decimals), decimals)).toBe(amount);
  expect(parseTokens("1.50", 2)).toBe(150n);
  for (const text of ["", "-1", "1e3", "1.", ".5", "1.123", "1,5", "0x10", " 1", "9".repeat(20)])
    expect([text, parseTokens(text, 2)]).toEqual([text, undefined]);
  expect(parseTokens("1.0", 0)).toBeUndefined();
});
