import { parentPort, workerData } from "node:worker_threads";
import { answerCalls, type Methods } from "./calls.js";
import { isOutOfMemory } from "./deepStack.js";
import { type ExecutorSettings, executorMethods, openStateStore } from "./executor.js";
import { StateExecutor } from "./StateExecutor.js";

const store = openStateStore(workerData as ExecutorSettings);
/** Honest blocks take some hundred milliseconds. Matching is free of phlo and may take time without end. */
const blockTimeoutMs = 600_000;

const executor = new StateExecutor(store, {}, (maximumMs = blockTimeoutMs) => ({
  deadlineMs: performance.now() + Math.min(maximumMs, blockTimeoutMs),
  nowMs: () => performance.now(),
  isOutOfMemory,
}));
const methods = Object.fromEntries(
  Object.keys(executorMethods).map((name) => {
    const method = executor[name as keyof StateExecutor] as (argument: unknown) => unknown;
    return [name, (argument: unknown) => method.call(executor, argument)];
  }),
);
answerCalls(parentPort!, { ...methods, close: () => store.close() } as Methods);
