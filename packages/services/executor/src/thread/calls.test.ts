import { EventEmitter } from "node:events";
import type { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { memoryOfThreads, ThreadCalls } from "./calls.js";

test("what threads keep is reported by what they are for, until they end", () => {
  const workers = [new EventEmitter(), new EventEmitter(), new EventEmitter()] as const;
  const [first, second, other] = workers;
  for (const worker of [first, second]) new ThreadCalls(worker as Worker, "reader");
  new ThreadCalls(other as Worker, "index query");
  expect(memoryOfThreads()).toEqual({});

  const report = (worker: EventEmitter, heapBytes: number, stackBytes: number) => {
    worker.emit("message", { id: 0, workedMs: 1, result: undefined, kept: { heapBytes, stackBytes } });
  };
  report(first, 10, 1);
  report(second, 20, 2);
  report(other, 0, 0);
  expect(memoryOfThreads()).toEqual({ reader: { heap: 30, stack: 3 } });
  report(first, 5, 1);
  expect(memoryOfThreads()).toEqual({ reader: { heap: 25, stack: 3 } });
  second.emit("exit", 0);
  expect(memoryOfThreads()).toEqual({ reader: { heap: 5, stack: 1 } });
  first.emit("exit", 0);
  expect(memoryOfThreads()).toEqual({});
});
