import type { Timers } from "@vedette/sync";
import type { SeededRandom } from "../random/SeededRandom.js";
import type { Trace } from "./Trace.js";

/** The receiver of events; those of a process that has ended never come. */
export interface Owner {
  readonly name: string;
  readonly isAlive: boolean;
}

interface Event {
  readonly atMs: number;
  /** Decides between events of one moment. */
  readonly order: number;
  readonly owner: Owner;
  readonly kind: string;
  readonly act: () => void;
  isTakenBack: boolean;
}

/** A breath ends within this time, among other events. */
const yieldIntervalMs = 0.5;
/** Timers of a machine are late by up to this. */
const lateMs = 2;

/**
 * The time of a simulation: nothing happens but the next event, and what events of one moment come first is drawn.
 *
 * All that a node awaits ends by an event. What an event sets going runs until everything waits again, before the next.
 */
export class VirtualTime {
  nowMs = 0;
  /** Events that have happened. */
  steps = 0;
  /** The owner of the present or last event. */
  current: Owner | undefined;
  readonly #random: SeededRandom;
  readonly #trace: Trace;
  readonly #heap: Event[] = [];

  constructor(random: SeededRandom, trace: Trace) {
    this.#random = random;
    this.#trace = trace;
  }

  /** Events that are to come. */
  get waiting(): number {
    return this.#heap.length;
  }

  /** @returns a function that cancels it */
  after(ms: number, owner: Owner, kind: string, act: () => void): () => void {
    const event = { atMs: this.nowMs + ms, order: this.#random.unit(), owner, kind, act, isTakenBack: false };
    this.#push(event);
    return () => {
      event.isTakenBack = true;
    };
  }

  /** How one process waits. */
  timersOf(owner: Owner): Timers {
    return {
      after: (ms, act) => this.after(Math.max(0, ms) + this.#random.unit() * lateMs, owner, "timer", act),
      yieldNow: () =>
        new Promise((resolve) => void this.after(this.#random.unit() * yieldIntervalMs, owner, "breath", resolve)),
    };
  }

  /** Lets the next event happen, and all that follows from it at once. @returns whether there was one */
  async step(): Promise<boolean> {
    for (;;) {
      const event = this.#pop();
      if (event === undefined) return false;
      if (event.isTakenBack || !event.owner.isAlive) continue;
      this.nowMs = event.atMs;
      this.steps += 1;
      this.current = event.owner;
      this.#trace.note(`${event.atMs.toFixed(3)} ${event.owner.name} ${event.kind}\n`);
      event.act();
      await new Promise(setImmediate);
      return true;
    }
  }

  #push(event: Event): void {
    const heap = this.#heap;
    let at = heap.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!isBefore(event, heap[above]!)) break;
      heap[at] = heap[above]!;
      at = above;
    }
    heap[at] = event;
  }

  #pop(): Event | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isBefore(heap[below + 1]!, heap[below]!)) below += 1;
      if (!isBefore(heap[below]!, last)) break;
      heap[at] = heap[below]!;
      at = below;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(one: Event, other: Event): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
}
