import { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type WatchedWriter, WriterWatch } from "./WriterWatch.js";

const running = { idle: 0, active: 10, utilization: 1 };
const stopped = { idle: -1, active: 11, utilization: 1.1 };
/** A thread that stopped before it was looked at. */
const unknown = { idle: 0, active: 0, utilization: 0 };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A watched thread that reports this. */
function watched(first: typeof running) {
  const worker = new EventEmitter();
  const thread = { worker, reports: first, onStuck: vi.fn() };
  const performance = { eventLoopUtilization: () => thread.reports };
  const writer = { worker: Object.assign(worker, { performance }), pending: () => 1, onStuck: thread.onStuck };
  new WriterWatch(writer as unknown as WatchedWriter);
  return thread;
}

test.each([stopped, unknown])(
  "a thread that has stopped and does not exit in fifteen seconds is reported once: %o",
  (last) => {
    const thread = watched(running);
    thread.worker.emit("message");
    vi.advanceTimersByTime(3_600_000);
    thread.reports = last;
    vi.advanceTimersByTime(14_000);
    expect(thread.onStuck).not.toHaveBeenCalled();
    vi.advanceTimersByTime(3_600_000);
    expect(thread.onStuck).toHaveBeenCalledOnce();
  },
);

test("one that exits, that begins for long, or that is seen running again is not", () => {
  const [exits, begins, runs] = [watched(stopped), watched(unknown), watched(stopped)];
  for (const { worker } of [exits, runs]) worker.emit("message");
  vi.advanceTimersByTime(14_000);
  exits.worker.emit("exit", 1);
  runs.reports = running;
  vi.advanceTimersByTime(3_600_000);
  for (const { onStuck } of [exits, begins, runs]) expect(onStuck).not.toHaveBeenCalled();
  for (const { worker } of [begins, runs]) worker.emit("exit", 0);
  expect(vi.getTimerCount()).toBe(0);
});
