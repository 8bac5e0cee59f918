import { expect, test } from "vitest";
import { type BlockSummary, blockTimeOf, finalizedAmong, newestFirst } from "./BlockSummary.js";

const block = (hash: string, number: number, parents: string[], timestamp = 0): BlockSummary => ({
  ...{ hash, number, parents, timestamp, sender: "", seqNum: 0, deployCount: 0 },
});

test("the blocks that the last finalized one builds on are final, and those beside it are not", () => {
  const blocks = [block("a", 1, ["root"]), block("b", 2, ["a"]), block("c", 2, ["a"]), block("d", 3, ["b"])];
  expect([...finalizedAmong(blocks, "b")].sort()).toEqual(["a", "b", "root"]);
  expect(finalizedAmong(blocks, undefined).size).toBe(0);
});

test("the time of a block is taken between heights, however many blocks a height has", () => {
  const blocks = [
    block("a", 1, [], 1_000),
    block("b", 2, [], 3_000),
    block("c", 2, [], 9_000),
    block("d", 3, [], 5_000),
  ];
  expect(blockTimeOf(blocks)).toBe(2_000);
  expect(blockTimeOf(blocks.slice(0, 1))).toBeUndefined();
  expect(blockTimeOf([block("g", 0, [], 0), block("a", 1, [], 99_000)])).toBeUndefined();
});

test("blocks are listed with the newest first, those of one height by their hash", () => {
  const blocks = [block("b", 2, []), block("c", 3, []), block("a", 2, [])];
  expect(blocks.sort(newestFirst).map(({ hash }) => hash)).toEqual(["c", "a", "b"]);
});
