import { expect, test } from "vitest";
import { parseCoins, printBytes, printCoins, printDuration, printShare, printWhole } from "./numbers.js";

test("amounts are printed in coins without losing a digit", () => {
  expect(printCoins(0n)).toBe("0");
  expect(printCoins(150_000_000n)).toBe("1.5");
  expect(printCoins(123_456_700_000_000_01n)).toBe("123,456,700.00000001");
  expect(printCoins(-1n)).toBe("−0.00000001");
});

test("amounts are read as they are printed, and what is no amount is none", () => {
  for (const amount of [0n, 1n, 150_000_000n, 99_999_999n]) expect(parseCoins(printCoins(amount))).toBe(amount);
  expect(parseCoins(" 12.5 ")).toBe(1_250_000_000n);
  for (const text of ["", "-1", "1e3", "1.", ".5", "1.123456789", "1,000", "9".repeat(13), "x"])
    expect([text, parseCoins(text)]).toEqual([text, undefined]);
});

test("numbers, sizes, durations and shares are short and have their unit", () => {
  expect(printWhole(2n ** 63n)).toBe("9,223,372,036,854,775,808");
  expect([999, 1_500, 25_000, 3_000_000].map(printBytes)).toEqual(["999 B", "1.5 kB", "25 kB", "3.0 MB"]);
  expect([12, 2_100, 45_000, 300_000, 7_200_000].map(printDuration)).toEqual([
    "12 ms",
    "2.1 s",
    "45 s",
    "5 min",
    "2 h",
  ]);
  expect(printShare(1n, 3n)).toBe("33.3 %");
  expect(printShare(1n, 0n)).toBe("–");
});
