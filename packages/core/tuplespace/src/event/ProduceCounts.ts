import { HashNumbers } from "./HashNumbers.js";

/** How often each non-persistent produce was made. @spec 30 §1.6 (`produceCounter`) */
export class ProduceCounts {
  readonly #numbers: HashNumbers;
  readonly #counts: number[];
  /** PERF: mostly read right after it was counted. */
  #last: Uint8Array | undefined = undefined;
  #lastCount = 0;

  private constructor(hashes: readonly Uint8Array[], counts: number[]) {
    this.#counts = counts;
    this.#numbers = new HashNumbers(hashes.length);
    for (const hash of hashes) this.#numbers.add(hash);
  }

  static none(): ProduceCounts {
    return new ProduceCounts([], []);
  }

  add(hash: Uint8Array): void {
    const number = this.#numbers.add(hash);
    this.#last = hash;
    this.#lastCount = number < this.#counts.length ? this.#counts[number]! + 1 : 1;
    this.#counts[number] = this.#lastCount;
  }

  of(hash: Uint8Array): number {
    if (hash === this.#last) return this.#lastCount;
    const number = this.#numbers.find(hash);
    return number < 0 ? 0 : this.#counts[number]!;
  }

  copy(): ProduceCounts {
    return new ProduceCounts(this.#numbers.hashes, this.#counts.slice());
  }
}
