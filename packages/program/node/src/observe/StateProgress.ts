import type { StoreNodeKey } from "@vedette/protocol";

/** Below this progress an estimate has no meaning. */
const minFraction = 1 / 64;

/**
 * How far the import of a state has come. Its size is unknown before the end, but it is walked in the order of its
 * keys: the path of the next page shows which part is done.
 *
 * @spec 30 §6.3
 */
export class StateProgress {
  #items = 0;
  #fraction = 0;

  get items(): number {
    return this.#items;
  }

  requested(path: readonly StoreNodeKey[]): void {
    let weight = 1;
    let fraction = 0;
    for (const { index } of path) {
      if (index === undefined) continue;
      weight /= 256;
      fraction += (index & 0xff) * weight;
    }
    if (fraction > this.#fraction) this.#fraction = fraction;
  }

  imported(totalItems: number): void {
    this.#items = totalItems;
  }

  /** Estimated number of all items; `undefined` before an estimate is possible. */
  estimatedTotal(): number | undefined {
    return this.#fraction < minFraction ? undefined : Math.max(this.#items, Math.round(this.#items / this.#fraction));
  }
}
