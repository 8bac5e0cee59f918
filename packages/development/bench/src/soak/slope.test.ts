import { describe, expect, test } from "vitest";
import { type Point, slopePerHour } from "./slope.js";

const minuteMs = 60_000;
const series = (minutes: number, value: (minute: number) => number): Point[] =>
  Array.from({ length: minutes * 4 }, (_, at) => ({ atMs: (at * minuteMs) / 4, value: value(at / 4) }));

describe("the slope of a value", () => {
  test("is that of a line", () => {
    expect(
      slopePerHour(
        series(90, (minute) => 200 + minute),
        5 * minuteMs,
      ),
    ).toBeCloseTo(60);
    expect(
      slopePerHour(
        series(90, () => 200),
        5 * minuteMs,
      ),
    ).toBe(0);
  });

  test("is not that of what comes and goes", () => {
    const sawtooth = series(90, (minute) => 200 + 100 * (minute % 4));
    expect(slopePerHour(sawtooth, 5 * minuteMs)).toBeCloseTo(0);
    const late = series(90, (minute) => (minute > 80 && minute < 88 ? 900 : 200));
    expect(slopePerHour(late, 5 * minuteMs)).toBe(0);
  });

  test("is unknown for a short time", () => {
    expect(
      slopePerHour(
        series(12, () => 200),
        5 * minuteMs,
      ),
    ).toBeUndefined();
    expect(slopePerHour([], 5 * minuteMs)).toBeUndefined();
  });
});
