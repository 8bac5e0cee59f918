/** What turns are measured and planned with; a test has its own. */
export interface TurnClock {
  /** Monotonic. */
  readonly nowMs: () => number;
  /** Calls back in the next turn of the event loop, one after the other; promises are settled in between. */
  readonly soon: (action: () => void) => void;
  readonly later: (action: () => void, milliseconds: number) => void;
}

/** How much of the main thread reads may take while the node is behind. */
export interface ReadShare {
  /** Of the time: between 0 and 1. */
  readonly share: number;
  /** The longest that they keep the thread to themselves: so long may an executed block wait. */
  readonly sliceMs: number;
  /** What a request costs before and after its turn: it has to be read and parsed. */
  readonly overheadMs: number;
}

/** Who may put off work that reads ask for. */
export type TakeTurn = (work: () => void) => void;

const realClock: TurnClock = {
  nowMs: () => performance.now(),
  soon: setImmediate,
  later: (action, milliseconds) => void setTimeout(action, milliseconds),
};
/** So long a node counts as behind after it was seen to be, and nobody looks again. */
const lookMs = 20;
/** What the chain's work has kept from reads in one go is made up for, in slices, as far as so many of them. */
const savedSlices = 8;
/** Works that are planned for one turn of the event loop. */
const atOnce = 32;

/**
 * The turns of reads on the main thread.
 *
 * While blocks wait to be executed, reads share the thread with what leads to the next block: they get a part of its
 * time, by what they really use, and in slices so short that the chain's work, which comes between them, need not wait.
 * Who is not behind serves reads at once. Nothing is refused here, and everybody is served in the order of arrival.
 */
export class ReadScheduler {
  readonly #looks: () => boolean;
  readonly #share: ReadShare;
  readonly #clock: TurnClock;
  #waiting: (() => void)[] = [];
  #first = 0;
  /** Time that may be used now; less than none after a work that took long. */
  #leftMs: number;
  /** Of that, in this slice. */
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

  /** Works that wait for their turn. */
  get waiting(): number {
    return this.#waiting.length - this.#first;
  }

  /** Does a work when it is its turn: at once, where the node is not behind and nobody waits. */
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

  /** Plans a slice: one call of the event loop for each work, so that what a work sets off counts as its own. */
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

/** The share of the main thread that reads get on a machine with so many cores, one of which the executor needs. */
export function readShareOf(cores: number): ReadShare {
  return { share: cores > 2 ? 0.75 : 0.32, sliceMs: 2, overheadMs: 0.03 };
}

/** The share of a core that programs get there which run on a state. */
export function explorationShareOf(cores: number): number {
  return cores > 2 ? 1 : 0.4;
}
