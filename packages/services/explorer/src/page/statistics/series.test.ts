import type { LightBlock } from "@vedette/client";
import { expect, test } from "vitest";
import { metricOf, seriesOf } from "./series.js";

const block = (height: number, timestamp: number, deployCount = 1, blockSize = "100", faultTolerance = 0.5) =>
  ({ blockNumber: BigInt(height), timestamp: BigInt(timestamp), deployCount, blockSize, faultTolerance }) as LightBlock;

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

test("a metric is read from the text that Prometheus reads", () => {
  const text = "# HELP a b\nprocess_resident_memory_bytes 1.5e8\nprocess_resident_memory_bytes_other 3\n";
  expect(metricOf(text, "process_resident_memory_bytes")).toBe(150_000_000);
  expect(metricOf(text, "none")).toBeUndefined();
});
