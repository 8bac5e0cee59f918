import { expect, test } from "vitest";
import { printBytes, printCoins, printDuration, printShare, printWhole } from "./numbers.js";

test("amounts are printed in coins without losing a digit", () => {
  const print = (amount: bigint, decimals = 8) => printCoins(amount, { decimals });
  expect(print(0n)).toBe("0");
  expect(print(150_000_000n)).toBe("1.5");
  expect(print(123_456_700_000_000_01n)).toBe("123,456,700.00000001");
  expect(print(-1n)).toBe("−0.00000001");
  expect(print(1_234_500n, 3)).toBe("1,234.5");
  expect(print(1_234n, 0)).toBe("1,234");
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
  expect([0n, 1n, 5n].map((part) => printShare(part, 10_000n))).toEqual(["0.0 %", "<\u00a00.1\u00a0%", "0.1 %"]);
});
