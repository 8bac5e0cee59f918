import { parentPort, workerData } from "node:worker_threads";
import { LmdbStore, tablesOf } from "@vedette/store";
import type { BoundedExploreCall } from "./boundedExplore.js";
import { answerCalls } from "./calls.js";
import { confineThread } from "./confineThread.js";
import { heldBytes, heldWithStack, keptMemory, throwGarbageAway } from "./deepStack.js";
import { GrowthTurn } from "./GrowthTurn.js";
import { standBack } from "./niceness.js";
import { ProgramMemory } from "./ProgramMemory.js";
import type { ReaderSettings } from "./ReaderPool.js";
import type { ReportCall, TransactionsCall, TransfersCall } from "./report/ReportReader.js";
import {
  type BalancesCall,
  type ContinuationsCall,
  type DataCall,
  type ExploreCall,
  type ExportCall,
  StateReader,
} from "./StateReader.js";
import type { EntriesCall } from "./stateEntries.js";

standBack("reader");

const { stateDirectory, cancelFlag, growthCell, id, memory: limits } = workerData as ReaderSettings;
const store = new LmdbStore(stateDirectory, { tables: tablesOf("state"), readOnly: true });
confineThread();
const flag = new Int32Array(cancelFlag);
const gauge = { held: heldWithStack, collectGarbage: throwGarbageAway };
const memory = new ProgramMemory(limits, gauge, new GrowthTurn(growthCell, id));
const caches = { nodeCacheBytes: 8 << 20, leafCacheBytes: 16 << 20 };
const reader = new StateReader(
  store,
  {
    isCancelled: () => Atomics.load(flag, 0) !== 0,
    nowMs: () => performance.now(),
    memory,
    heldBytes,
  },
  caches,
);

// What the executor has committed since the last call must be visible.
function fresh<Call, Answer>(method: (call: Call) => Answer): (call: Call) => Answer {
  return (call) => {
    store.refresh();
    return method(call);
  };
}

const methods = {
  explore: fresh((call: ExploreCall) => reader.explore(call)),
  boundedExplore: fresh((call: BoundedExploreCall) => reader.boundedExplore(call)),
  areHere: fresh((roots: readonly Uint8Array[]) => reader.areHere(roots)),
  entries: fresh((call: EntriesCall) => reader.entries(call)),
  exportPage: fresh((call: ExportCall) => reader.exportPage(call)),
  data: fresh((call: DataCall) => reader.data(call)),
  continuations: fresh((call: ContinuationsCall) => reader.continuations(call)),
  bonds: fresh((root: Uint8Array) => reader.bonds(root)),
  report: fresh((call: ReportCall) => reader.report(call)),
  transfers: fresh((call: TransfersCall) => reader.transfers(call)),
  transactions: fresh((call: TransactionsCall) => reader.transactions(call)),
  balances: fresh((call: BalancesCall) => reader.balances(call)),
  checkTerm: (source: string) => reader.checkTerm(source),
  tidy: throwGarbageAway,
  ready: () => undefined,
};
answerCalls(parentPort!, methods, keptMemory);
