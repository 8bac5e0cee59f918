/** The cell's value while no reader has the turn. */
const free = 0;

/** Memory in which the readers of a pool agree which of them may hold much. */
export function growthCell(): SharedArrayBuffer {
  return new SharedArrayBuffer(4);
}

/** One reader's view of the turn to hold much memory, which one of a pool can have at a time. */
export class LargeHeapLease {
  readonly #cell: Int32Array;
  readonly #id: number;

  /** @param id of the reader; above 0 */
  constructor(cell: SharedArrayBuffer, id: number) {
    this.#cell = new Int32Array(cell);
    this.#id = id;
  }

  /** @returns whether the reader has the turn, now or since before */
  take(): boolean {
    const holder = Atomics.compareExchange(this.#cell, 0, free, this.#id);
    return holder === free || holder === this.#id;
  }

  /** Blocks until the turn is given back or the time is over. Not for the main thread. */
  wait(milliseconds: number): void {
    const holder = Atomics.load(this.#cell, 0);
    if (holder !== free) Atomics.wait(this.#cell, 0, holder, milliseconds);
  }

  /** Gives the turn back, if the reader has it. */
  release(): void {
    if (Atomics.compareExchange(this.#cell, 0, this.#id, free) === this.#id) Atomics.notify(this.#cell, 0);
  }
}
