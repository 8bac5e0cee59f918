import { parentPort, workerData } from "node:worker_threads";
import { shareRandomStates } from "@vedette/crypto";
import { LmdbStore, tablesOf } from "@vedette/store";
import { loadForms } from "../dialect/loadForms.js";
import { OriginStore } from "../origin/OriginStore.js";
import type { NotesCall, ReportCall, TraceCall, TransactionsCall, TransfersCall } from "../report/ReportReader.js";
import { answerCalls } from "../thread/calls.js";
import { confineThread } from "../thread/confineThread.js";
import { heapAndStackBytes, heldBytes, keptMemory, throwGarbageAway } from "../thread/deepStack.js";
import { LargeHeapLease } from "../thread/LargeHeapLease.js";
import { lowerPriority } from "../thread/niceness.js";
import { ProgramMemory } from "../thread/ProgramMemory.js";
import { reduceHeap } from "../thread/reduceHeap.js";
import type { BoundedExploreCall } from "./boundedExplore.js";
import type { PiecesReadCall } from "./piecesRead.js";
import type { ReaderSettings } from "./ReaderPool.js";
import {
  type BalancesCall,
  type ContinuationsCall,
  type DataCall,
  type ExploreCall,
  type ExportCall,
  StateReader,
} from "./StateReader.js";
import type { EntriesCall } from "./stateEntries.js";

/** Above what the allocator takes from its arenas (`allocatorSettings`). */
const randomStatesBytes = 256 << 10;

shareRandomStates(randomStatesBytes);

const { stateDirectory, dialect, cancelFlag, growthCell, id, memory: limits, origin } = workerData as ReaderSettings;
const forms = await loadForms(dialect);
const store = new LmdbStore(stateDirectory, { tables: tablesOf("state"), readOnly: true });
const states = origin === undefined ? store : new OriginStore(store, origin);
confineThread();
const flag = new Int32Array(cancelFlag);
const gauge = { held: heapAndStackBytes, collectGarbage: throwGarbageAway };
const memory = new ProgramMemory(limits, gauge, new LargeHeapLease(growthCell, id));
const caches = { nodeCacheBytes: 8 << 20, leafCacheBytes: 16 << 20, checksHashes: !store.isSealed };
const reader = new StateReader(
  states,
  {
    isCancelled: () => Atomics.load(flag, 0) !== 0,
    nowMs: () => performance.now(),
    memory,
    heldBytes,
  },
  { forms, ...caches },
);

// The executor's commits since the last call must be visible.
function fresh<Call, Answer>(method: (call: Call) => Answer): (call: Call) => Answer {
  return (call) => {
    store.refresh();
    return method(call);
  };
}

/** The remaining memory is the least that it needs, with caches of any size dropped. */
function tidy(): Promise<void> {
  reader.dropCaches();
  return reduceHeap();
}

const methods = {
  explore: fresh((call: ExploreCall) => reader.explore(call)),
  boundedExplore: fresh((call: BoundedExploreCall) => reader.boundedExplore(call)),
  areHere: fresh((roots: readonly Uint8Array[]) => reader.areHere(roots)),
  pieces: fresh((hashes: readonly Uint8Array[]) => reader.pieces(hashes)),
  piecesRead: fresh((call: PiecesReadCall) => reader.piecesRead(call)),
  entries: fresh((call: EntriesCall) => reader.entries(call)),
  exportPage: fresh((call: ExportCall) => reader.exportPage(call)),
  data: fresh((call: DataCall) => reader.data(call)),
  continuations: fresh((call: ContinuationsCall) => reader.continuations(call)),
  bonds: fresh((root: Uint8Array) => reader.bonds(root)),
  report: fresh((call: ReportCall) => reader.report(call)),
  transfers: fresh((call: TransfersCall) => reader.transfers(call)),
  notes: fresh((call: NotesCall) => reader.notes(call)),
  registrations: fresh((call: NotesCall) => reader.registrations(call)),
  trace: fresh((call: TraceCall) => reader.trace(call)),
  transactions: fresh((call: TransactionsCall) => reader.transactions(call)),
  balances: fresh((call: BalancesCall) => reader.balances(call)),
  checkTerm: (source: string) => reader.checkTerm(source),
  tidy,
  ready: () => undefined,
};
// Not before: a query may wait for the start of the thread, which takes a quarter of a second of processor time.
lowerPriority("reader");
answerCalls(parentPort!, methods, keptMemory);
