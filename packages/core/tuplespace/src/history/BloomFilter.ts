/** Bits of an entry: with four looks one in some three hundred is taken for one that was added. */
const bitsOfEntry = 12;
const looks = 4;

/**
 * Which of many hashes were added, in a byte and a half each. What was added is found always; now and then something
 * is found that was not.
 */
export class BloomFilter {
  readonly #words: Uint32Array;
  readonly #bits: number;

  /** @param entries that are expected */
  constructor(entries: number) {
    const words = Math.max(64, Math.ceil((entries * bitsOfEntry) / 32));
    this.#words = new Uint32Array(words);
    this.#bits = words * 32;
  }

  /** @param hash of 32 bytes, which are as good as random */
  add(hash: Uint8Array): void {
    for (let look = 0; look < looks; look += 1) {
      const bit = this.#bitOf(hash, look);
      this.#words[bit >>> 5]! |= 1 << (bit & 31);
    }
  }

  mayHave(hash: Uint8Array): boolean {
    for (let look = 0; look < looks; look += 1) {
      const bit = this.#bitOf(hash, look);
      if ((this.#words[bit >>> 5]! & (1 << (bit & 31))) === 0) return false;
    }
    return true;
  }

  #bitOf(hash: Uint8Array, look: number): number {
    const at = look * 6;
    let number = 0;
    for (let index = at; index < at + 6; index += 1) number = number * 256 + hash[index]!;
    return number % this.#bits;
  }
}
