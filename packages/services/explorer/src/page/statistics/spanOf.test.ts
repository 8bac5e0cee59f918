import type uPlot from "uplot";
import { expect, test } from "vitest";
import { lonePoints, spanOf } from "./spanOf.js";

test("an axis shows at least twelve steps: one hour does not become years", () => {
  const now = 1_796_036_400;
  expect(spanOf({ first: now, last: now }, 3_600, true)).toEqual([now - 12.5 * 3_600, now + 1_800]);
  expect(spanOf({ first: now - 2, last: now }, 3, false)).toEqual([now - 36, now]);
  expect(spanOf({ first: 0, last: 4 }, 1, true)).toEqual([-0.5, 12.5]);
  expect(spanOf({ first: 100, last: 300 }, 1, true)).toEqual([99.5, 300.5]);
  expect(spanOf({ first: null, last: null }, 1, false)).toEqual([0, 12]);
});

test("a value without neighbours is a point", () => {
  const filter = lonePoints as (plot: Pick<uPlot, "data">, series: number) => number[] | null;
  expect(
    filter(
      {
        data: [
          [0, 1, 2, 3, 4],
          [7, null, 5, 6, null],
        ] as uPlot.AlignedData,
      },
      1,
    ),
  ).toEqual([0]);
  expect(filter({ data: [[0], [3]] as uPlot.AlignedData }, 1)).toEqual([0]);
});
