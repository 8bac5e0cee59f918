import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { threadWaitMs } from "./threadWaitMs.js";

test("time that a thread sleeps is not time that it waits for a processor", () => {
  const before = threadWaitMs();
  const beganMs = performance.now();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  const passedMs = performance.now() - beganMs;
  expect(passedMs).toBeGreaterThan(150);
  expect(threadWaitMs() - before).toBeGreaterThanOrEqual(0);
  expect(threadWaitMs() - before).toBeLessThan(passedMs);
});

test.skipIf(process.platform !== "linux")("time in which others have all processors is", async () => {
  const workers = Array.from({ length: 2 * availableParallelism() }, () => new Worker("for (;;);", { eval: true }));
  const before = threadWaitMs();
  while (threadWaitMs() - before < 50);
  await Promise.all(workers.map((worker) => worker.terminate()));
});
