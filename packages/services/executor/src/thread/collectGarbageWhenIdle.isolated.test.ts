import { getHeapSpaceStatistics, getHeapStatistics } from "node:v8";
import { until } from "@vedette/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { collectGarbageWhenIdle, type IdleGcLimits } from "./collectGarbageWhenIdle.js";
import { throwGarbageAway } from "./deepStack.js";
import { reduceHeap } from "./reduceHeap.js";

const lookMs = 10;
const many = 20;
const willing: IdleGcLimits = {
  lookMs,
  busyShare: 1,
  garbageBytes: -Infinity,
  longestGarbageMs: Infinity,
  afterOthersMs: 0,
  maxUsedBytes: Infinity,
};

async function collections(limits: Partial<IdleGcLimits>): Promise<number> {
  let count = 0;
  const ended = new AbortController();
  collectGarbageWhenIdle(ended.signal, { ...willing, ...limits }, async () => void (count += 1));
  await vi.advanceTimersByTimeAsync(many * lookMs);
  ended.abort();
  const before = count;
  await vi.advanceTimersByTimeAsync(many * lookMs);
  expect(count).toBe(before);
  return count;
}

describe("a main thread", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("with little to do collects its garbage, until it ends", async () => {
    expect(await collections({})).toBeGreaterThan(0);
  });

  test.each<readonly [string, Partial<IdleGcLimits>]>([
    ["is busy", { busyShare: -1 }],
    ["has so much in use that a collection would block it for long", { maxUsedBytes: 0 }],
  ])("that %s is left alone", async (_, limits) => {
    expect(await collections(limits)).toBe(0);
  });

  test("with more in use than the limit collects once, and not again if nothing was garbage", async () => {
    let count = 0;
    const ended = new AbortController();
    // Garbage that goes meanwhile would be some that the first collection had thrown away.
    throwGarbageAway();
    const { used_heap_size: used } = getHeapStatistics();
    collectGarbageWhenIdle(ended.signal, { ...willing, maxUsedBytes: 0.75 * used }, async () => void (count += 1));
    await vi.advanceTimersByTimeAsync(many * lookMs);
    ended.abort();
    expect(count).toBe(1);
  });

  test("that has taken little since it did so last is left alone", async () => {
    expect(await collections({ garbageBytes: 2 ** 40 })).toBe(0);
  });

  test("that has taken some since then collects it after a while", async () => {
    const taken: unknown[] = [];
    let count = 0;
    const ended = new AbortController();
    collectGarbageWhenIdle(ended.signal, { ...willing, garbageBytes: 2 ** 40, longestGarbageMs: lookMs }, async () => {
      count += 1;
      taken.length = 0;
    });
    for (let look = 0; look < 10_000 && count < 2; look += 1) {
      taken.push(new Array(100_000).fill(1));
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(count).toBe(2);
    ended.abort();
  });

  test("that has taken buffers outside of its heap collects them", async () => {
    let count = 0;
    const ended = new AbortController();
    collectGarbageWhenIdle(ended.signal, { ...willing, garbageBytes: 32 << 20 }, async () => void (count += 1));
    await vi.advanceTimersByTimeAsync(many * lookMs);
    const before = count;
    const taken = Array.from({ length: 64 }, () => new ArrayBuffer(1 << 20));
    await vi.advanceTimersByTimeAsync(many * lookMs);
    expect([taken.length, count]).toEqual([64, before + 1]);
    ended.abort();
  });

  test("that is always busy collects not long after that time", async () => {
    expect(await collections({ busyShare: -1, longestGarbageMs: 4 * lookMs })).toBeGreaterThan(0);
  });
});

test("what is left of many objects lies together, and the room for young ones goes back", async () => {
  const few = Array.from({ length: 200_000 }, (_, at) => ({ at, list: [at, at + 1] })).filter((_, at) => at % 20 === 0);
  throwGarbageAway();
  const { total_physical_size: scattered } = getHeapStatistics();
  expect(youngBytes()).toBeGreaterThan(2 << 20);
  await reduceHeap();
  expect(getHeapStatistics().total_physical_size).toBeLessThan(scattered);
  expect(youngBytes()).toBeLessThan(2 << 20);
  expect(few).toHaveLength(10_000);
});

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space")!.physical_space_size;
}

test("unreferenced objects are collected", async () => {
  const garbage = new WeakRef({ bytes: new Array(1_000).fill(1) });
  const ended = new AbortController();
  collectGarbageWhenIdle(ended.signal, willing);
  await until("the garbage to be collected", () => garbage.deref() === undefined);
  ended.abort();
});
