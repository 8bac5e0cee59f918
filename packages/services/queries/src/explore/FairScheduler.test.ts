import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FairScheduler } from "./FairScheduler.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const signal = new AbortController().signal;

/** Runs programs that take 10 ms each, all requested at once. @returns when each was answered */
function run(count: number, isBehind: () => boolean, share = 0.25): number[] {
  const rests = {
    ...{ isBehind, share, nowMs: () => performance.now() },
    wait: (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  };
  const turns = new FairScheduler(1, rests);
  const begunMs = performance.now();
  const answeredMs: number[] = [];
  const program = () => new Promise<void>((resolve) => setTimeout(resolve, 10));
  for (let index = 0; index < count; index += 1)
    void turns
      .take({ client: "192.0.2.1", signal, bytes: 0 }, program)
      .then(() => answeredMs.push(performance.now() - begunMs));
  return answeredMs;
}

test("programs take their share of a core while the node is behind; an answer does not wait for the rest", async () => {
  const answered = run(5, () => true);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(answered).toEqual([10, 50, 90, 130, 170]);
});

test("a rest is no longer if this thread receives the answer late", async () => {
  const waits: number[] = [];
  const rests = { isBehind: () => true, share: 0.5, nowMs: () => performance.now() };
  const turns = new FairScheduler(1, { ...rests, wait: async (milliseconds) => void waits.push(milliseconds) });
  const turn = { client: undefined, signal, bytes: 0 };
  const late = turns.take(turn, async (onWorked) => {
    await new Promise((resolve) => setTimeout(resolve, 80));
    onWorked(3);
  });
  await vi.advanceTimersByTimeAsync(100);
  await late;
  expect(waits).toEqual([3]);
});

test("programs follow each other at once when it is not", async () => {
  const answered = run(3, () => false);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(answered).toEqual([10, 20, 30]);
});

test("a program that fails has its error returned, and the next one runs", async () => {
  const rests = { isBehind: () => true, share: 0.5, nowMs: () => performance.now(), wait: async () => undefined };
  const turns = new FairScheduler(1, rests);
  const turn = { client: undefined, signal, bytes: 0 };
  const failing = turns.take(turn, async () => Promise.reject(new RangeError("broken")));
  const next = turns.take(turn, async () => "fine");
  await expect(failing).rejects.toThrow("broken");
  expect(await next).toBe("fine");
});
