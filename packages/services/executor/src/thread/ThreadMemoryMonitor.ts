import { processMonotonicMs, sinceBeat } from "./restBeat.js";

/** The memory that a thread keeps from the rest of the process, in bytes. */
export interface RetainedMemory {
  /** Pages of its heap, whether they are in use or not, and what belongs to objects of the heap. */
  readonly heapBytes: number;
  /** The part of its stack that was ever used. */
  readonly stackBytes: number;
}

/** When a thread collects its garbage, and when another one takes its place, so that stack and heap go back with it. */
export interface ThreadMemoryLimits {
  /** Maximum of heap and stack: with more it is replaced as soon as it has answered. */
  readonly maxBytes: number;
  /** Maximum of the heap: an idle thread with more is replaced, if collecting its garbage was not enough. */
  readonly idleHeapBytes: number;
  /** Maximum of the stack: likewise. */
  readonly idleStackBytes: number;
  /** Garbage that an idle thread may have gathered since its last collection. */
  readonly garbageBytes: number;
  /** At this interval less garbage is collected too, at the same times in all threads ({@link sinceBeat}). */
  readonly longestGarbageMs: number;
  /** Time without calls after which a thread is idle. */
  readonly idleMs: number;
  /** A thread that is called again and again and keeps too much is treated like an idle one after this time. */
  readonly longestMs: number;
  /** A new thread has cold caches and uncompiled code: during this time it is not replaced. */
  readonly minAgeMs: number;
  /** An idle thread ends after this time, and the next call starts another one; left out: it stays. */
  readonly endMs?: number | undefined;
}

/** The actions on a thread. */
export interface ThreadMemoryActions {
  /** The memory it keeps, by its last report. */
  readonly kept: () => RetainedMemory;
  /** Has it collect its garbage, after which it reports anew what it keeps. */
  readonly tidy: () => Promise<unknown>;
  readonly replace: () => void;
  readonly end: () => void;
}

/**
 * How long a thread that may end has had nothing to do then: longer than most networks wait for a block, and than
 * people who work with a node do between two questions.
 */
export const usualEndMs = 180_000;

/** Garbage of this size never justifies a pause, at any age. */
export const minCollectableBytes = 2 << 20;

/** Looks after what one thread keeps. */
export class ThreadMemoryMonitor implements Disposable {
  readonly #limits: ThreadMemoryLimits;
  readonly #actions: ThreadMemoryActions;
  readonly #begunMs = processMonotonicMs();
  #timer: NodeJS.Timeout | undefined;
  #ending: NodeJS.Timeout | undefined;
  #isResting = false;
  /** Its heap after the last collection. */
  #tidyBytes = 0;
  #tidiedMs = processMonotonicMs();
  /** Since when it has kept more than it should. */
  #wantedMs: number | undefined;

  constructor(limits: ThreadMemoryLimits, actions: ThreadMemoryActions) {
    this.#limits = limits;
    this.#actions = actions;
  }

  /** The thread receives a call. */
  wake(): void {
    this.#isResting = false;
    clearTimeout(this.#timer);
    clearTimeout(this.#ending);
  }

  /** The thread has answered. @param isIdle whether it has no further calls */
  answered(isIdle: boolean): void {
    if (isIdle) this.idle();
    const { heapBytes, stackBytes } = this.#actions.kept();
    const nowMs = processMonotonicMs();
    const oldEnoughMs = this.#begunMs + this.#limits.minAgeMs - nowMs;
    if (heapBytes + stackBytes > this.#limits.maxBytes && oldEnoughMs <= 0) {
      this.#actions.replace();
      return;
    }
    const { garbageBytes, longestGarbageMs } = this.#limits;
    const hasLittle = heapBytes <= this.#tidyBytes + Math.min(minCollectableBytes, garbageBytes);
    const beatMs = hasLittle ? Number.NEGATIVE_INFINITY : sinceBeat(nowMs, this.#tidiedMs, longestGarbageMs);
    const isWanted = this.#isTooMuch() || beatMs >= 0 || heapBytes > this.#tidyBytes + garbageBytes;
    this.#wantedMs = isWanted ? (this.#wantedMs ?? nowMs) : undefined;
    if (!isIdle) return;
    if (this.#wantedMs !== undefined) this.#tidyNowOrLater(nowMs - this.#wantedMs, beatMs, oldEnoughMs);
    // The thread may stay idle; schedule the collection now.
    else if (!hasLittle) this.#tidyIn(Math.max(-beatMs, oldEnoughMs));
  }

  /** The thread has nothing to do, as one that has just begun. */
  idle(): void {
    clearTimeout(this.#ending);
    const { endMs } = this.#limits;
    if (endMs !== undefined) this.#ending = setTimeout(this.#actions.end, endMs).unref();
  }

  /** @param wantedForMs how long it has kept more than it should */
  #tidyNowOrLater(wantedForMs: number, beatMs: number, oldEnoughMs: number): void {
    const { idleMs, longestMs } = this.#limits;
    const isTooMuch = this.#isTooMuch();
    // One that is called again at once would never come to it by a timer. Garbage alone delays no call: the
    // engine collects it as well.
    const isOverdue = isTooMuch && wantedForMs >= longestMs;
    // All threads do it now: the sooner, the less the others have gathered anew.
    const isItsTurn = beatMs >= 0 && !isTooMuch;
    if ((isOverdue || isItsTurn) && oldEnoughMs <= 0) void this.#tidy(isOverdue);
    else this.#tidyIn(Math.max(idleMs, oldEnoughMs));
  }

  [Symbol.dispose](): void {
    this.wake();
  }

  #tidyIn(waitMs: number): void {
    this.#isResting = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#tidy(), waitMs).unref();
  }

  #isTooMuch(): boolean {
    return this.#hasUsedStack() || this.#actions.kept().heapBytes > this.#limits.idleHeapBytes;
  }

  #hasUsedStack(): boolean {
    return this.#actions.kept().stackBytes > this.#limits.idleStackBytes;
  }

  async #tidy(isOverdue = false): Promise<void> {
    if (this.#hasUsedStack()) {
      this.#actions.replace();
      return;
    }
    try {
      await this.#actions.tidy();
    } catch {
      // It has ended: the next call replaces it.
      return;
    }
    this.#tidyBytes = this.#actions.kept().heapBytes;
    this.#tidiedMs = processMonotonicMs();
    this.#wantedMs = undefined;
    if ((isOverdue || this.#isResting) && this.#isTooMuch()) this.#actions.replace();
  }
}
