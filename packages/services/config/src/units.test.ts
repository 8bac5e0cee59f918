import fc from "fast-check";
import { expect, test } from "vitest";
import { parseDurationMs, parseSize } from "./units.js";

test.each([
  ["0", 0],
  ["250", 250],
  ["5 seconds", 5000],
  ["5seconds", 5000],
  ["1.5 s", 1500],
  ["0.5m", 30_000],
  ["2 hours", 7_200_000],
  ["1 d", 86_400_000],
  ["1 us", 0.001],
  ["3 µs", 0.003],
  ["7 nanos", 0.000007],
])("%s is %d ms", (text, ms) => {
  expect(parseDurationMs(text)).toBe(ms);
});

test.each(["", "s", "5 fortnights", "-5 s", "5 S", "1e3 s", "Inf", "5 s s", "1.5", "9223372036854775807 days", " "])(
  "%j is no length of time",
  (text) => {
    expect(parseDurationMs(text)).toBeUndefined();
  },
);

test("on the command line a length of time needs its unit", () => {
  expect(parseDurationMs("250", true)).toBeUndefined();
  expect(parseDurationMs("0", true)).toBe(0);
  expect(parseDurationMs("5seconds", true)).toBe(5000);
});

test.each<[string, bigint]>([
  ["256K", 262_144n],
  ["16M", 16_777_216n],
  ["256M", 268_435_456n],
  ["1kB", 1000n],
  ["3 MB", 3_000_000n],
  ["2 gigabytes", 2_000_000_000n],
  ["1 TB", 10n ** 12n],
  ["1 EB", 10n ** 18n],
  ["1 KiB", 1024n],
  ["1 g", 1_073_741_824n],
  ["1 Ti", 2n ** 40n],
  ["7 exbibytes", 7n * 2n ** 60n],
  ["1.5k", 1536n],
  ["12 bytes", 12n],
  ["12 b", 12n],
  ["9223372036854775807", 9_223_372_036_854_775_807n],
])("%s is %d", (text, size) => {
  expect(parseSize(text)).toBe(size);
});

test.each(["", "K", "-1", "1 Kb", "1 KB", "9223372036854775808", "8 EiB", "1e3", `${"9".repeat(50)}`])(
  "%j is no size",
  (text) => {
    expect(parseSize(text)).toBeUndefined();
  },
);

test("no digit of a 64-bit number is lost", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), (size) => {
      expect(parseSize(String(size))).toBe(size);
    }),
  );
});
