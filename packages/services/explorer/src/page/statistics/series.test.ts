import type { LightBlock } from "@vedette/client";
import { expect, test } from "vitest";
import { metricOf, seriesOf } from "./series.js";

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
