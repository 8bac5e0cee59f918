import { expect, test } from "vitest";
import { spansOver } from "./spansOver.js";

const span = (bucket_start: string, blocks: string, seconds: number | null = null) => ({
  ...{ bucket_start, blocks, deployments: "2", errored: "1", transfers: "3", phlo_cost: "400", fees_dust: "800" },
  ...{ avg_block_time_seconds: seconds, avg_finality_lag_seconds: null, avg_finality_lag_blocks: null },
});

test("counts are at the beginnings of their spans, the earliest first", () => {
  const { blocks, cost, fees } = spansOver([
    span("1970-01-01T02:00:00+00:00", "5", 2.5),
    span("1970-01-01T01:00:00+00:00", "7"),
    span("no time", "9"),
  ]);
  expect(blocks).toEqual([
    [3_600, 7_200],
    [7, 5],
  ]);
  expect([cost[1], fees[1]]).toEqual([
    [400, 400],
    [800, 800],
  ]);
  const late = [span("2025-01-01T00:00:00Z", "1"), span("2026-01-01T00:00:00Z", "9")];
  expect(spansOver(late).blocks).toEqual([[Date.parse("2026-01-01T00:00:00Z") / 1_000], [9]]);
  expect(spansOver(late.slice(0, 1)).blocks[1]).toEqual([1]);
  expect(spansOver([]).blocks).toEqual([[], []]);
});

test("the block time is that of whole spans: not of the first one, nor of the one that goes on", () => {
  const hours = [span("1970-01-01T01:00:00Z", "7", 500), span("1970-01-01T02:00:00Z", "1440", 2.5)];
  expect(spansOver([...hours, span("1970-01-01T03:00:00Z", "16", 225)]).blockTime[1]).toEqual([null, 2_500, null]);
  expect(spansOver(hours.slice(0, 1)).blockTime[1]).toEqual([null]);
});

test("the lag of finality is unknown in spans without a block of which it is known", () => {
  const hours = [span("1970-01-01T01:00:00Z", "7"), span("1970-01-01T02:00:00Z", "9")] as const;
  const known = { ...hours[1], avg_finality_lag_seconds: 1.5, avg_finality_lag_blocks: 3 };
  const { lag } = spansOver([hours[0], known]);
  expect([lag.time[1], lag.blocks[1]]).toEqual([
    [null, 1_500],
    [null, 3],
  ]);
});
