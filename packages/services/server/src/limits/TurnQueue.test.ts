import { afterEach, expect, test, vi } from "vitest";
import { TurnQueue } from "./TurnQueue.js";

afterEach(() => {
  vi.useRealTimers();
});

test("what comes at once begins in its order, so much in a turn of the event loop", () => {
  vi.useFakeTimers({ toFake: ["setImmediate"] });
  const queue = new TurnQueue(2);
  const begun: number[] = [];
  for (let at = 0; at < 5; at += 1) queue.begin(() => begun.push(at));
  expect(begun).toEqual([0, 1]);
  vi.advanceTimersToNextTimer();
  expect(begun).toEqual([0, 1, 2, 3]);
  queue.begin(() => begun.push(5));
  vi.advanceTimersToNextTimer();
  expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
  vi.advanceTimersToNextTimer();
  queue.begin(() => begun.push(6));
  expect(begun.at(-1)).toBe(6);
});

test("clients have turns, however much one of them brings", () => {
  vi.useFakeTimers({ toFake: ["setImmediate"] });
  const queue = new TurnQueue(2);
  const begun: string[] = [];
  for (let at = 0; at < 6; at += 1) queue.begin(() => begun.push(`many ${at}`), "many");
  queue.begin(() => begun.push("few 0"), "few");
  queue.begin(() => begun.push("few 1"), "few");
  vi.advanceTimersToNextTimer();
  vi.advanceTimersToNextTimer();
  expect(begun).toEqual(["many 0", "many 1", "many 2", "few 0", "many 3", "few 1"]);
});
