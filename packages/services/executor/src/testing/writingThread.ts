// The thread of `stuckWriter.ts`: writes like an executor, and fills its heap or goes on for ever where it is called to.
import { parentPort, workerData } from "node:worker_threads";
import type { ExecutorSettings } from "../executor/ExecutorThreads.js";
import { requireHeapForWriting } from "../executor/executionLimits.js";
import { openStateStore } from "../executor/executor.js";
import { answerCalls } from "../thread/calls.js";
import { throwGarbageAway } from "../thread/deepStack.js";

/** The action of a transaction after its first write. */
export type WithinWrite = "nothing" | "forever" | "fillHeap";

const { isReplacement: _, ...settings } = workerData as ExecutorSettings;
const store = openStateStore({ ...settings, beforeWrite: requireHeapForWriting });
const held: unknown[] = [];

function hold(): void {
  held.push(Array(1_000).fill(0.5));
}

function isNearlyFull(): boolean {
  try {
    requireHeapForWriting();
    return false;
  } catch {
    return true;
  }
}

const within: { readonly [how in WithinWrite]: () => void } = {
  nothing: () => undefined,
  forever: () => {
    for (;;);
  },
  fillHeap: () => {
    for (;;) hold();
  },
};

answerCalls(parentPort!, {
  ready: () => undefined,
  write({ number, how, cell }: { number: number; how: WithinWrite; cell: SharedArrayBuffer }) {
    store.write((tables) => {
      tables("roots").put(new Uint8Array(32).fill(number), Uint8Array.of(1));
      Atomics.store(new Int32Array(cell), 0, 1);
      Atomics.notify(new Int32Array(cell), 0);
      within[how]();
    });
  },
  /** Leaves less than a transaction must find. */
  nearlyFillHeap() {
    for (let isFull = false; !isFull; ) {
      isFull = isNearlyFull();
      // After the last look, too: what the look itself took is free again at the next one.
      for (let pieces = 0; pieces < 100; pieces += 1) hold();
    }
  },
  empty() {
    held.length = 0;
    throwGarbageAway();
  },
});
