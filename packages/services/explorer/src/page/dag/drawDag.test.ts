import { expect, test } from "vitest";
import { blockAt, heightOf, lanesOf, placeDag } from "./drawDag.js";

const block = (number: number, sender: string, seqNum: number) => ({
  ...{ hash: `${sender}${number}.${seqNum}`, number, sender, seqNum, timestamp: 0, deployCount: 0, parents: [] },
});
const blocks = [block(9, "b", 4), block(9, "a", 7), block(8, "a", 7), block(0, "", 0)];
const scene = placeDag(blocks, () => "pending", { scale: 30, offset: 0 }, 600);

test("heights go from left to right, and every validator has its lane", () => {
  expect(lanesOf(blocks)).toEqual(["a", "b"]);
  const [b9, a9, a8, genesis] = scene.drawn;
  expect(b9!.x).toBe(a9!.x);
  expect(a9!.x - a8!.x).toBe(30);
  expect(a9!.y).toBe(a8!.y);
  expect(genesis!.y).toBe((a9!.y + b9!.y) / 2);
  expect(scene.height).toBe(heightOf(2));
});

test("two blocks of one number of a validator are marked", () => {
  expect(scene.drawn.map(({ isEquivocation }) => isEquivocation)).toEqual([false, true, true, false]);
});

test("a block is found by a point near it, and none where there is none", () => {
  const { x, y, block: wanted } = scene.drawn[1]!;
  expect(blockAt(scene, x + 8, y - 8)?.block).toBe(wanted);
  expect(blockAt(scene, x + 80, y)).toBeUndefined();
});
