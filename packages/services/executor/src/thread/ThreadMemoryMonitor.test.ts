import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { processMonotonicMs } from "./restBeat.js";
import { minCollectableBytes, type ThreadMemoryLimits, ThreadMemoryMonitor } from "./ThreadMemoryMonitor.js";

const many = 4 << 20;
const limits = {
  maxBytes: 100,
  idleHeapBytes: 50,
  idleStackBytes: 8,
  garbageBytes: 20,
  longestGarbageMs: 120_000,
  idleMs: 1_000,
  longestMs: 30_000,
  minAgeMs: 5_000,
};

/** A thread that reports the memory it keeps. */
class FakeThread {
  kept = 0;
  stack = 0;
  /** The memory that it keeps without its garbage. */
  live = 0;
  tidied = 0;
  replaced = 0;
  ended = 0;
  isGone = false;
  readonly rest: ThreadMemoryMonitor;

  constructor(restLimits: ThreadMemoryLimits = limits) {
    this.rest = new ThreadMemoryMonitor(restLimits, {
      kept: () => ({ heapBytes: this.kept, stackBytes: this.stack }),
      tidy: async () => {
        if (this.isGone) throw new Error("it has ended");
        this.tidied += 1;
        this.kept = this.live;
      },
      replace: () => {
        this.replaced += 1;
      },
      end: () => {
        this.ended += 1;
      },
    });
  }

  answer(kept: number, isIdle = true): void {
    this.rest.wake();
    this.kept = kept;
    this.rest.answered(isIdle);
  }
}

describe("a thread", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.advanceTimersByTime(limits.longestGarbageMs - (processMonotonicMs() % limits.longestGarbageMs));
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("that keeps more than it may is replaced as soon as it has answered, but not while it is new", () => {
    const thread = new FakeThread();
    thread.answer(101);
    expect(thread.replaced).toBe(0);
    vi.advanceTimersByTime(4_999);
    thread.answer(101);
    expect(thread.replaced).toBe(0);
    vi.advanceTimersByTime(1);
    thread.answer(101, false);
    expect(thread.replaced).toBe(1);
  });

  test("that keeps little is left alone", async () => {
    const thread = new FakeThread();
    thread.answer(20);
    await vi.advanceTimersByTimeAsync(100_000);
    expect([thread.tidied, thread.replaced]).toEqual([0, 0]);
  });

  test("that is idle collects its garbage, and is replaced where that is not enough", async () => {
    const thread = new FakeThread();
    await vi.advanceTimersByTimeAsync(5_000);
    thread.answer(60);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([thread.tidied, thread.replaced]).toEqual([1, 0]);
    thread.live = 51;
    thread.answer(60);
    await vi.advanceTimersByTimeAsync(999);
    expect([thread.tidied, thread.replaced]).toEqual([1, 0]);
    await vi.advanceTimersByTimeAsync(1);
    expect([thread.tidied, thread.replaced]).toEqual([2, 1]);
  });

  test("that has used its stack is replaced when it is idle, or when it was called for long enough", async () => {
    const [idle, busy] = [new FakeThread(), new FakeThread()];
    await vi.advanceTimersByTimeAsync(5_000);
    for (const thread of [idle, busy]) thread.stack = 16;
    idle.answer(10);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(idle.replaced).toBe(1);
    for (let asked = 0; asked < 33; asked += 1) {
      busy.answer(10);
      await vi.advanceTimersByTimeAsync(900);
    }
    expect(busy.replaced).toBe(0);
    await vi.advanceTimersByTimeAsync(100);
    busy.answer(10);
    busy.answer(10);
    await vi.advanceTimersByTimeAsync(0);
    expect(busy.replaced).toBe(1);
  });

  test("gathers garbage in vain no more often than it is worth", async () => {
    const thread = new FakeThread();
    thread.live = 45;
    await vi.advanceTimersByTimeAsync(5_000);
    for (const kept of [49, 50, 47]) {
      thread.answer(kept);
      await vi.advanceTimersByTimeAsync(2_000);
    }
    expect([thread.tidied, thread.replaced]).toEqual([1, 0]);
  });

  test("that gathers little garbage collects it after a while", async () => {
    const thread = new FakeThread({ ...limits, maxBytes: 4 * many, idleHeapBytes: 3 * many, garbageBytes: many });
    thread.live = 1;
    thread.answer(many);
    await vi.advanceTimersByTimeAsync(limits.longestGarbageMs - 1);
    expect(thread.tidied).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(thread.tidied).toBe(1);
    await vi.advanceTimersByTimeAsync(limits.longestGarbageMs);
    for (const kept of [many, minCollectableBytes]) {
      thread.answer(kept);
      await vi.advanceTimersByTimeAsync(2 * limits.longestGarbageMs);
    }
    expect([thread.tidied, thread.replaced]).toEqual([2, 0]);
  });

  test("that gathers some garbage and is asked no more collects it when all threads do", async () => {
    const restLimits = { ...limits, maxBytes: 4 * many, idleHeapBytes: 3 * many, garbageBytes: 2 * many };
    const [early, late] = [new FakeThread(restLimits), new FakeThread(restLimits)];
    const { longestGarbageMs } = limits;
    await vi.advanceTimersByTimeAsync(longestGarbageMs / 4);
    early.answer(many);
    await vi.advanceTimersByTimeAsync(longestGarbageMs / 2);
    late.answer(many);
    await vi.advanceTimersByTimeAsync(longestGarbageMs / 4 - 1);
    expect([early.tidied, late.tidied]).toEqual([0, 0]);
    await vi.advanceTimersByTimeAsync(1);
    expect([early.tidied, late.tidied]).toEqual([1, 1]);
  });

  test("that is always asked collects its garbage once in a while, not whenever there is much", async () => {
    const thread = new FakeThread({ ...limits, maxBytes: 4 * many, idleHeapBytes: 3 * many, garbageBytes: many });
    const queryUntil = async (ms: number) => {
      for (const endMs = processMonotonicMs() + ms; processMonotonicMs() < endMs; ) {
        thread.answer(2 * many);
        await vi.advanceTimersByTimeAsync(900);
      }
    };
    await queryUntil(limits.longestGarbageMs - 900);
    expect(thread.tidied).toBe(0);
    await queryUntil(1_800);
    expect(thread.tidied).toBe(1);
    await queryUntil(limits.longestGarbageMs - 2_700);
    expect([thread.tidied, thread.replaced]).toEqual([1, 0]);
  });

  test("that is always asked and keeps too much, its garbage gone, is replaced", async () => {
    const thread = new FakeThread();
    thread.live = 60;
    for (let asked = 0; asked < 40; asked += 1) {
      thread.answer(60);
      await vi.advanceTimersByTimeAsync(900);
    }
    expect([thread.tidied, thread.replaced]).toEqual([1, 1]);
  });

  test("that is asked again in time is not disturbed", async () => {
    const thread = new FakeThread();
    thread.live = 60;
    for (let asked = 0; asked < 25; asked += 1) {
      thread.answer(60);
      await vi.advanceTimersByTimeAsync(900);
    }
    thread.rest.wake();
    await vi.advanceTimersByTimeAsync(10_000);
    expect([thread.tidied, thread.replaced]).toEqual([0, 0]);
  });

  test("that has work left does not count as idle", async () => {
    const thread = new FakeThread();
    thread.answer(60, false);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(thread.tidied).toBe(0);
  });

  test("that has ended meanwhile is not replaced a second time", async () => {
    const thread = new FakeThread();
    thread.live = 60;
    thread.answer(60);
    thread.isGone = true;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(thread.replaced).toBe(0);
  });

  test("that may end does so when it was idle for long, not while it is called again and again", async () => {
    const [staying, ending] = [new FakeThread(), new FakeThread({ ...limits, endMs: 60_000 })];
    for (let asked = 0; asked < 4; asked += 1) {
      for (const thread of [staying, ending]) thread.answer(10);
      await vi.advanceTimersByTimeAsync(59_999);
    }
    ending.answer(10, false);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(ending.ended).toBe(0);
    ending.answer(10);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([staying.ended, ending.ended]).toEqual([0, 1]);
  });
});
