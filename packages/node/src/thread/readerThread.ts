import { parentPort, workerData } from "node:worker_threads";
import { LmdbStore, tablesOf } from "@vedette/store";
import { answerCalls } from "./calls.js";
import { isOutOfMemory } from "./deepStack.js";
import type { ReaderSettings } from "./ReaderPool.js";
import { type ExploreCall, type ExportCall, StateReader } from "./StateReader.js";

const { stateDirectory, cancelFlag } = workerData as ReaderSettings;
const store = new LmdbStore(stateDirectory, { tables: tablesOf("state"), readOnly: true });
const flag = new Int32Array(cancelFlag);
const caches = { nodeCacheBytes: 8 << 20, leafCacheBytes: 16 << 20 };
const reader = new StateReader(
  store,
  {
    isCancelled: () => Atomics.load(flag, 0) !== 0,
    nowMs: () => performance.now(),
    isOutOfMemory,
  },
  caches,
);

// What the executor has committed since the last call must be visible.
answerCalls(parentPort!, {
  explore: (call: ExploreCall) => {
    store.refresh();
    return reader.explore(call);
  },
  exportPage: (call: ExportCall) => {
    store.refresh();
    return reader.exportPage(call);
  },
});
