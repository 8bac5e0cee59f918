import type { LargeHeapLease } from "./LargeHeapLease.js";

/**
 * The memory limits of one thread's programs, in bytes: objects of the heap, memory that belongs to them, and stack.
 */
export interface ProgramMemoryLimits {
  /** Beyond it a program is stopped. */
  readonly maxBytes: number;
  /** Beyond it a program only goes on while no other thread of the pool holds as much. */
  readonly freeBytes: number;
}

/** Where a thread's memory is looked at. */
export interface ProgramMemoryGauge {
  /** Returns the memory of the thread, with garbage. */
  readonly held: () => number;
  readonly collectGarbage: () => void;
}

/** How long a program may be kept waiting. */
export interface MemoryWaitLimits {
  readonly deadlineMs: number;
  readonly nowMs: () => number;
  readonly isCancelled: () => boolean;
}

/** Memory close to its bound counts as beyond: otherwise the garbage would be collected at every look. */
const nearly = 7 / 8;
/** So often a program that waits looks whether it is still wanted. */
const waitMs = 20;

/** Bounds what programs of a reader hold, in one sum, and lets one reader at a time hold much. @spec 50 §1.11 */
export class ProgramMemory {
  readonly #limits: ProgramMemoryLimits;
  readonly #gauge: ProgramMemoryGauge;
  readonly #turn: LargeHeapLease;

  constructor(limits: ProgramMemoryLimits, gauge: ProgramMemoryGauge, turn: LargeHeapLease) {
    this.#limits = limits;
    this.#gauge = gauge;
    this.#turn = turn;
  }

  /** Returns the memory limit of programs, in whole megabytes. */
  get programMb(): number {
    return Math.floor((nearly * this.#limits.maxBytes) / 2 ** 20);
  }

  /** Whether a program is to be stopped; waits until it is this thread's turn to hold much. */
  isUsedUp(patience: MemoryWaitLimits): boolean {
    const { maxBytes, freeBytes } = this.#limits;
    if (this.#gauge.held() <= freeBytes) return false;
    if (!this.#turn.take()) {
      if (!this.#isFull(freeBytes)) return false;
      if (!this.#wait(patience)) return true;
    }
    return this.#isFull(maxBytes);
  }

  #isFull(bytes: number): boolean {
    if (this.#gauge.held() <= bytes) return false;
    // A full heap may contain garbage, above all if a large object was just dropped.
    this.#gauge.collectGarbage();
    return this.#gauge.held() > nearly * bytes;
  }

  /** @returns whether the turn has come */
  #wait({ deadlineMs, nowMs, isCancelled }: MemoryWaitLimits): boolean {
    while (nowMs() < deadlineMs && !isCancelled()) {
      if (this.#turn.take()) return true;
      this.#turn.wait(waitMs);
    }
    return false;
  }
}
