import { parentPort, workerData } from "node:worker_threads";
import { BatchingStore, OverlayStore, type Store } from "@vedette/store";
import { OriginStore } from "../origin/OriginStore.js";
import { answerCalls, type Methods } from "../thread/calls.js";
import { confineThread } from "../thread/confineThread.js";
import { keptMemory } from "../thread/deepStack.js";
import { lowerPriority } from "../thread/niceness.js";
import { reduceHeap } from "../thread/reduceHeap.js";
import { executorOperations } from "./ExecutorClient.js";
import type { ExecutorSettings } from "./ExecutorThreads.js";
import { executionLimits, requireHeapForWriting } from "./executionLimits.js";
import { openStateStore } from "./executor.js";
import type { StateStoreWriter } from "./StateStoreWriter.js";

const settings = workerData as ExecutorSettings;
/** Only its dialect is loaded: the other one's programs and rules would take room in every thread. */
const Kind =
  settings.dialect === "f1r3node"
    ? (await import("./F1r3nodeExecutor.js")).F1r3nodeExecutor
    : (await import("./RnodeExecutor.js")).RnodeExecutor;

const adoptingLeafCacheBytes = 2 << 20;

let store: Store | undefined;
let executor: StateStoreWriter | undefined;

/** Opens the store, on a message only: until then another thread may have it. */
function open(): void {
  const { origin, isInBackground = false, isScratch = false } = settings;
  if (isInBackground) lowerPriority("background");
  const own = openStateStore({ ...settings, beforeWrite: requireHeapForWriting });
  const complete = origin === undefined ? own : new OriginStore(own, origin);
  store = isScratch ? new OverlayStore(complete) : heldAsReported(complete, settings);
  // A node that executes nothing reads leaves of stakes alone.
  const caches = settings.adoptsOnly === true ? { leafCacheBytes: adoptingLeafCacheBytes } : {};
  executor = new Kind(store, { checksHashes: isScratch || !own.isSealed, ...caches }, executionLimits());
  confineThread();
}

function heldAsReported(complete: Store, { isGrouped = false, mayHold = false }: ExecutorSettings): Store {
  if (isGrouped) return new BatchingStore(complete);
  return mayHold ? new BatchingStore(complete, { isHolding: false }) : complete;
}

async function close(): Promise<void> {
  executor?.flush([]);
  await store?.close();
}

const methods = Object.fromEntries(
  executorOperations.map((name) => [
    name,
    (argument: unknown) => {
      const method = (executor as unknown as Readonly<Record<string, (argument: unknown) => unknown>>)[name];
      if (method === undefined) throw new TypeError(`${name} is not an operation of this network's executor`);
      return method.call(executor, argument);
    },
  ]),
);
/** The remaining memory is the least that it needs, with caches of any size dropped. */
function tidy(): Promise<void> {
  executor?.dropCaches();
  return reduceHeap();
}

answerCalls(parentPort!, { ...methods, ready: () => undefined, open, tidy, close } as Methods, keptMemory);
