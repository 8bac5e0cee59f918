import { expect, test } from "vitest";
import { layOut } from "./layOut.js";

const block = (number: number, sender: string) => ({
  ...{ hash: `${number}${sender}`, number, sender, seqNum: 0, timestamp: 0, deployCount: 0, parents: [] },
});

test("the newest height is first, and every sender keeps its lane", () => {
  const { placed, lanes, heights, owners } = layOut(
    [block(7, "b"), block(7, "a"), block(6, "b"), block(5, "c"), block(1, "a")],
    4,
  );
  expect(lanes).toBe(3);
  expect(owners).toEqual(["a", "b", "c"]);
  expect(placed.map(({ block: { hash }, column, lane }) => [hash, column, lane])).toEqual([
    ["7b", 0, 1],
    ["7a", 0, 0],
    ["6b", 1, 1],
    ["5c", 2, 2],
  ]);
  expect(heights.map(({ number }) => number)).toEqual([7, 6, 5]);
});

test("a hundred senders share a few lanes, and genesis is in the middle", () => {
  const { placed, lanes, owners } = layOut(
    [...Array.from({ length: 100 }, (_, index) => block(1, `s${index}`)), block(0, "")],
    5,
  );
  expect([lanes, owners]).toEqual([6, []]);
  expect(Math.max(...placed.map(({ lane }) => lane))).toBe(5);
  expect(placed.at(-1)?.lane).toBe(2);
});
