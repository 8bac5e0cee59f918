import type { LightBlock } from "@vedette/client";
import { expect, test } from "vitest";
import { type IndexedBlock, lagsOver, metricOf, seriesCsv, seriesOf } from "./series.js";

const block = (height: number, timestamp: number, deployCount = 1, blockSize = "100", faultTolerance = 0.5) =>
  ({
    ...{ blockNumber: BigInt(height), timestamp: BigInt(timestamp), deployCount, blockSize, faultTolerance, bonds: [] },
  }) as unknown as LightBlock;

test("numbers of one height are one point, and heights go upward", () => {
  const found = seriesOf([
    block(3, 9_000),
    block(2, 5_000, 2),
    block(2, 4_000, 3, "50", 1),
    block(1, 1_000),
    block(0, 0, 11),
  ]);
  expect(found.deploys).toEqual([
    [0, 1, 2, 3],
    [11, 1, 5, 1],
  ]);
  expect(found.bytes[1]).toEqual([100, 100, 150, 100]);
  expect(found.time[1]).toEqual([null, null, 3_000, 5_000]);
  expect(found.faultTolerance[1]).toEqual([0.5, 0.5, 1, 0.5]);
});

test("the stake of a height is that of its final block; it is unknown where pending ones differ", () => {
  const staked = (height: number, stakes: readonly bigint[], isFinalized: boolean) =>
    ({ ...block(height, 0), isFinalized, bonds: stakes.map((stake) => ({ validator: "", stake })) }) as LightBlock;
  const blocks = [
    ...[staked(1, [5n, 7n], true), staked(1, [9n], false)],
    ...[staked(2, [5n, 7n], false), staked(2, [9n], false)],
    ...[staked(3, [9n], false), staked(3, [4n, 5n], false)],
  ];
  expect(seriesOf(blocks).stake).toEqual([
    [1, 2, 3],
    [12, null, 9],
  ]);
});

test("a metric is read from the text that Prometheus reads", () => {
  const text = "# HELP a b\nprocess_resident_memory_bytes 1.5e8\nprocess_resident_memory_bytes_other 3\n";
  expect(metricOf(text, "process_resident_memory_bytes")).toBe(150_000_000);
  expect(metricOf(text, "none")).toBeUndefined();
});

test("a height took as long as its last block to become final; final blocks of which it is not known are counted", () => {
  const block = (height: number, final?: readonly [heights: number, ms: number], fate = "finalized"): IndexedBlock => ({
    ...{ block_number: String(height), timestamp: "1000", fate, phlo_cost: "0", fees_dust: "0" },
    finalized_at_block_number: final === undefined ? null : String(height + final[0]),
    finalized_at_timestamp: final === undefined ? null : String(1_000 + final[1]),
  });
  const blocks = [
    ...[block(5, undefined, "pending"), block(4, [1, 900]), block(4, [3, 700]), block(3, [2, 0]), block(3)],
    ...[block(2), block(1, [0, 0]), block(0)],
  ];
  const lags = lagsOver(blocks);
  expect(lags.blocks).toEqual([
    [0, 1, 2, 3, 4, 5],
    [null, 0, null, 2, 3, null],
  ]);
  expect(lags.time[1]).toEqual([null, 0, null, 0, 900, null]);
  expect(lags.unknown).toBe(2);
});

test("the file of a chart has heights or times, and nothing where a value is not known", () => {
  const values = [1.5, null];
  expect(seriesCsv(["height", "Phlo"], [[7, 8], values])).toBe("height,Phlo\r\n7,1.5\r\n8,\r\n");
  expect(seriesCsv(["time", "Time until final, ms"], [[0, 3_600], values])).toBe(
    'time,"Time until final, ms"\r\n1970-01-01T00:00:00.000Z,1.5\r\n1970-01-01T01:00:00.000Z,\r\n',
  );
});
