import { parentPort, workerData } from "node:worker_threads";
import type { LmdbStore } from "@vedette/store";
import { answerCalls, type Methods } from "./calls.js";
import { confineThread } from "./confineThread.js";
import { keptMemory, throwGarbageAway } from "./deepStack.js";
import { executionLimits } from "./executionLimits.js";
import { type ExecutorSettings, executorMethods, openStateStore } from "./executor.js";
import { StateExecutor } from "./StateExecutor.js";

let store: LmdbStore | undefined;
let executor: StateExecutor | undefined;

/** Only when it is told to: until then another thread may have the store. */
function open(): void {
  store = openStateStore(workerData as ExecutorSettings);
  executor = new StateExecutor(store, {}, executionLimits());
  confineThread();
}

const methods = Object.fromEntries(
  Object.keys(executorMethods).map((name) => [
    name,
    (argument: unknown) => {
      const method = executor![name as keyof StateExecutor] as (argument: unknown) => unknown;
      return method.call(executor, argument);
    },
  ]),
);
answerCalls(
  parentPort!,
  { ...methods, ready: () => undefined, open, tidy: throwGarbageAway, close: () => store?.close() } as Methods,
  keptMemory,
);
