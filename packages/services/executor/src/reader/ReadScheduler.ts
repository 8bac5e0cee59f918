/** The clock for measuring and planning turns; a test has its own. */
export interface TurnClock {
  /** Monotonic. */
  readonly nowMs: () => number;
  /** Calls back in the next turn of the event loop, one after the other; promises are settled in between. */
  readonly soon: (action: () => void) => void;
  readonly later: (action: () => void, milliseconds: number) => void;
}

/** How much of the main thread reads may take while the node is behind. */
export interface ReadShare {
  /** The share of the time: between 0 and 1. */
  readonly share: number;
  /** Longest time that reads keep the thread, and that an executed block may wait. */
  readonly sliceMs: number;
  /** The cost of a request before and after its turn: it must be read and parsed. */
  readonly overheadMs: number;
}

/** Runs the work of a read, now or later. */
export type TakeTurn = (work: () => void) => void;

/**
 * Begins a request, now or later.
 *
 * @returns ends it; to be called once it is answered or its client has gone, also where it has not begun yet. A second
 *          call has no effect
 */
export type BeginRead = (begin: () => void) => () => void;

const realClock: TurnClock = {
  nowMs: () => performance.now(),
  soon: setImmediate,
  later: (action, milliseconds) => void setTimeout(action, milliseconds),
};
/** Time for which a node counts as behind before its status is read again. */
const lookMs = 20;
/** Most slices that reads may catch up on after the chain's work delayed them. */
const savedSlices = 8;
/** Tasks that are planned for one turn of the event loop. */
const atOnce = 32;

/**
 * The turns of reads on the main thread.
 *
 * While blocks wait to be executed, reads share the thread with the work for the next block. They get a part of its
 * time, measured by use, in slices so short that the chain's work between them does not wait. A node that is not behind
 * serves reads at once. No read is refused, and all are served in the order of arrival.
 */
export class ReadScheduler {
  readonly #looks: () => boolean;
  readonly #share: ReadShare;
  readonly #clock: TurnClock;
  #waiting: (() => void)[] = [];
  #first = 0;
  /** Time that reads may use now; negative after a long task. */
  #leftMs: number;
  /** The part in this slice. */
  #ofSliceMs = 0;
  #filledMs: number;
  #markMs = 0;
  #isSliceOver = false;
  #isPlanned = false;
  #lookedMs = Number.NEGATIVE_INFINITY;
  #wasBehind = false;

  /** @param isBehind whether blocks wait to be executed */
  constructor(isBehind: () => boolean, share: ReadShare, clock: TurnClock = realClock) {
    this.#looks = isBehind;
    this.#share = share;
    this.#clock = clock;
    this.#leftMs = share.sliceMs;
    this.#filledMs = clock.nowMs();
  }

  /** Number of tasks that wait for their turn. */
  get waiting(): number {
    return this.#waiting.length - this.#first;
  }

  /** Runs a task in its turn: at once if the node is not behind and no other task waits. */
  readonly take: TakeTurn = (work) => {
    if (this.waiting === 0 && !this.isBehind) {
      work();
      return;
    }
    this.#waiting.push(work);
    this.#plan();
  };

  /** Whether blocks wait to be executed, as it was seen a moment ago. */
  get isBehind(): boolean {
    const nowMs = this.#clock.nowMs();
    if (nowMs - this.#lookedMs >= lookMs) {
      this.#lookedMs = nowMs;
      this.#wasBehind = this.#looks();
    }
    return this.#wasBehind;
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    this.#fill();
    if (this.#leftMs > 0 || !this.isBehind) {
      this.#begin();
      return;
    }
    const { share, sliceMs } = this.#share;
    // Many short slices would cost more than they let through.
    this.#clock.later(this.#begin, Math.ceil((sliceMs / 2 - this.#leftMs) / share));
  }

  #fill(): void {
    const nowMs = this.#clock.nowMs();
    const { share, sliceMs } = this.#share;
    this.#leftMs = Math.min(savedSlices * sliceMs, this.#leftMs + (nowMs - this.#filledMs) * share);
    this.#filledMs = nowMs;
  }

  /** Plans a slice: one turn of the event loop for each task, so that its promises count as part of the task. */
  readonly #begin = (): void => {
    const { soon } = this.#clock;
    soon(this.#open);
    for (let left = Math.min(this.waiting, atOnce); left > 0; left -= 1) soon(this.#next);
    soon(this.#close);
  };

  readonly #open = (): void => {
    this.#fill();
    if (!this.isBehind) this.#leftMs = Math.max(this.#leftMs, this.#share.sliceMs);
    this.#ofSliceMs = this.#share.sliceMs;
    this.#isSliceOver = false;
    this.#markMs = this.#clock.nowMs();
  };

  readonly #next = (): void => {
    if (this.#isSliceOver || this.#hasUsedSlice()) return;
    const work = this.#waiting[this.#first]!;
    this.#waiting[this.#first] = done;
    this.#first += 1;
    this.#use(this.#share.overheadMs);
    work();
  };

  #hasUsedSlice(): boolean {
    const nowMs = this.#clock.nowMs();
    this.#use(nowMs - this.#markMs);
    this.#markMs = nowMs;
    this.#isSliceOver = this.#leftMs <= 0 || this.#ofSliceMs <= 0;
    return this.#isSliceOver;
  }

  #use(milliseconds: number): void {
    this.#leftMs -= milliseconds;
    this.#ofSliceMs -= milliseconds;
  }

  readonly #close = (): void => {
    if (!this.#isSliceOver) this.#hasUsedSlice();
    this.#isPlanned = false;
    if (this.waiting > 0) {
      if (this.#first > 1_024) this.#forgetDone();
      this.#plan();
    } else if (this.#first > 0) this.#forgetDone();
  };

  #forgetDone(): void {
    this.#waiting = this.#waiting.slice(this.#first);
    this.#first = 0;
  }
}

const done = (): void => {};

/** The share of the main thread for reads, by the machine's cores, one of which the executor needs. */
export function readShareOf(cores: number): ReadShare {
  return { share: cores > 2 ? 0.75 : 0.32, sliceMs: 2, overheadMs: 0.03 };
}

/** The share of a core for programs that clients run on a state, by the machine's cores. */
export function explorationShareOf(cores: number): number {
  return cores > 2 ? 1 : 0.4;
}
