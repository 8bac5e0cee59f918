import { expect, test } from "vitest";
import type { ForkPoint } from "./ForkPoint.js";
import { decodeForkPoint, encodeForkPoint } from "./forkPointFile.js";

const f1r3node = { tokenName: "F1R3CAP", tokenSymbol: "F1R3", tokenDecimals: 8, epochLength: 10 };
const place = { url: "http://a", blockHash: "aa", stateHash: "bb", shardName: "root" };
const point: ForkPoint = { ...place, blockNumber: 2n ** 60n, timestamp: 7n, f1r3node };

test("a stored fork point is read as it was written", () => {
  expect(decodeForkPoint(encodeForkPoint(point))).toEqual(point);
});

test("a fork point of an earlier version names the facts of f1r3node otherwise", () => {
  const { f1r3node: newer, ...others } = JSON.parse(encodeForkPoint(point));
  expect(decodeForkPoint(JSON.stringify({ ...others, newer }))).toEqual(point);
});
