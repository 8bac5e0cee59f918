import { expect, test } from "vitest";
import { MeasurementWindows } from "./MeasurementWindows.js";

test("nothing is under way from 15 s before every fourth minute to 12 s after it", () => {
  const waitAt = (seconds: number, takes: number) =>
    new MeasurementWindows(() => 240_000 * 7 + seconds * 1_000).waitMs(takes * 1_000) / 1_000;
  expect([waitAt(0, 0), waitAt(11, 0), waitAt(12, 0), waitAt(120, 0)]).toEqual([12, 1, 0, 0]);
  expect([waitAt(224, 0), waitAt(225, 0), waitAt(239, 0)]).toEqual([0, 27, 13]);
  const isCollectingAt = (seconds: number) => new MeasurementWindows(() => 240_000 * 7 + seconds * 1_000).isCollecting;
  expect([0, 11, 12, 120, 239].map(isCollectingAt)).toEqual([true, true, false, false, false]);
  expect([waitAt(185, 40), waitAt(186, 40), waitAt(13, 40)]).toEqual([0, 66, 0]);
});

test("a waiting caller goes on when the signal comes", async () => {
  const calm = new MeasurementWindows(() => 0);
  await calm.pass(0, AbortSignal.abort());
  const ending = new AbortController();
  const passed = calm.pass(0, ending.signal);
  ending.abort();
  await passed;
});
