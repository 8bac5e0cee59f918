import { expect, test } from "vitest";
import { growthCell, LargeHeapLease } from "./LargeHeapLease.js";
import { ProgramMemory } from "./ProgramMemory.js";

const limits = { maxBytes: 1_000, freeBytes: 400 };

/** A thread with this memory, some of it garbage. */
class FakeThread {
  live = 0;
  garbage = 0;
  collections = 0;
  readonly turn: LargeHeapLease;
  readonly memory: ProgramMemory;

  constructor(cell: SharedArrayBuffer, id: number) {
    this.turn = new LargeHeapLease(cell, id);
    const gauge = {
      held: () => this.live + this.garbage,
      collectGarbage: () => {
        this.collections += 1;
        this.garbage = 0;
      },
    };
    this.memory = new ProgramMemory(limits, gauge, this.turn);
  }

  isUsedUp(live: number, garbage = 0, deadlineMs = 1_000): boolean {
    [this.live, this.garbage] = [live, garbage];
    let nowMs = 0;
    const clock = () => {
      nowMs += 100;
      return nowMs;
    };
    return this.memory.isUsedUp({ deadlineMs, nowMs: clock, isCancelled: () => false });
  }
}

test("a program is stopped when what it holds without garbage comes near the bound", () => {
  const thread = new FakeThread(growthCell(), 1);
  expect(thread.isUsedUp(390)).toBe(false);
  expect(thread.isUsedUp(800, 150)).toBe(false);
  expect(thread.collections).toBe(0);
  expect(thread.isUsedUp(800, 300)).toBe(false);
  expect(thread.collections).toBe(1);
  expect(thread.isUsedUp(880, 130)).toBe(true);
  expect(thread.memory.programMb).toBe(0);
});

test("one reader at a time may hold much; another one waits until its time is up, and goes on when the first has given back", () => {
  const cell = growthCell();
  const [first, second] = [new FakeThread(cell, 1), new FakeThread(cell, 2)];
  expect(first.isUsedUp(700)).toBe(false);
  expect(second.isUsedUp(390)).toBe(false);
  expect(second.isUsedUp(300, 300)).toBe(false);
  expect(second.collections).toBe(1);
  expect(second.isUsedUp(500)).toBe(true);
  second.turn.release();
  expect(second.isUsedUp(500)).toBe(true);
  first.turn.release();
  expect(second.isUsedUp(500)).toBe(false);
  expect(first.isUsedUp(500)).toBe(true);
});

test("a cancelled program does not wait for its turn", () => {
  const cell = growthCell();
  const [first, second] = [new FakeThread(cell, 1), new FakeThread(cell, 2)];
  expect(first.isUsedUp(700)).toBe(false);
  second.live = 500;
  const forever = { deadlineMs: Number.POSITIVE_INFINITY, nowMs: () => 0, isCancelled: () => true };
  expect(second.memory.isUsedUp(forever)).toBe(true);
});
