import { expect, test } from "vitest";
import { parseAmount, printAmount } from "./amount.js";

test("amounts in both units", () => {
  expect(parseAmount("150000000")).toBe(150_000_000n);
  expect(parseAmount("1.5ASI")).toBe(150_000_000n);
  expect(parseAmount("0.00000001 asi")).toBe(1n);
  expect(parseAmount("92233720368ASI")).toBe(9_223_372_036_800_000_000n);
  for (const text of ["", "1.5", "-1", "1e9", "ASI", "1.000000001ASI", "1,5ASI", "0x10", "123456789012ASI"]) {
    expect(parseAmount(text)).toBeUndefined();
  }
});

test("amounts are printed without loss", () => {
  expect(printAmount(150_000_000n)).toBe("150000000 (1.5 ASI)");
  expect(printAmount(0n)).toBe("0 (0 ASI)");
  expect(printAmount(1n)).toBe("1 (0.00000001 ASI)");
  expect(printAmount(9_223_372_036_854_775_807n)).toBe("9223372036854775807 (92233720368.54775807 ASI)");
  expect(printAmount(-5n)).toBe("-5 (-0.00000005 ASI)");
});
