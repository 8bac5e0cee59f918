import { describe, expect, test } from "vitest";
import { InboundQueue } from "./InboundQueue.js";
import { MemoryBudget } from "./MemoryBudget.js";

describe("an inbound queue", () => {
  test("drops what is new when it is full, and goes on when a handler ends", async () => {
    const handled: number[] = [];
    const gates: (() => void)[] = [];
    const queue = new InboundQueue<number>(2, 1, async (item) => {
      handled.push(item);
      await new Promise<void>((resolve) => gates.push(resolve));
    });
    expect([1, 2, 3, 4].map((item) => queue.offer(item))).toEqual([true, true, true, false]);
    expect(handled).toEqual([1]);
    gates.shift()?.();
    await new Promise(setImmediate);
    expect(handled).toEqual([1, 2]);
    expect(queue.offer(5)).toBe(true);
    for (let round = 0; round < 4; round++) {
      gates.shift()?.();
      await new Promise(setImmediate);
    }
    expect(handled).toEqual([1, 2, 3, 5]);
    expect(queue.idle).toBe(true);
  });

  test("a handler that fails holds nothing up", async () => {
    const handled: number[] = [];
    const queue = new InboundQueue<number>(5, 1, async (item) => {
      handled.push(item);
      throw new Error("no");
    });
    for (const item of [1, 2, 3]) queue.offer(item);
    await new Promise(setImmediate);
    expect(handled).toEqual([1, 2, 3]);
  });
});

test("a memory budget bounds the sum of all peers, and the share of one", () => {
  const budget = new MemoryBudget(100, 60);
  expect(budget.tryTake("a", 60)).toBe(true);
  expect(budget.tryTake("a", 1)).toBe(false);
  expect(budget.tryTake("b", 41)).toBe(false);
  expect(budget.tryTake("b", 40)).toBe(true);
  budget.giveBack("a", 60);
  expect(budget.taken).toBe(40);
  expect(budget.tryTake("a", 60)).toBe(true);
});
