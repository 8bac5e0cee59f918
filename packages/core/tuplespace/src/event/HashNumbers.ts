import { equalBytes } from "@vedette/crypto";
import { hashKey } from "@vedette/protocol";
import { firstBits } from "./firstBits.js";

const hashBytes = 32;
const noNumber = -1;

/** More hashes than these begin alike only where the author of a block made them so. */
const maxAlike = 24;

/** Odd, and unknown to the author of a block, which may contain any hashes. */
const factors = crypto.getRandomValues(new Int32Array(hashBytes / 2)).map((factor) => factor | 1);

/**
 * Gives hashes numbers, from 0 on, in the order in which they come.
 *
 * PERF: a text made of each hash, as the key of a map, takes several times as long. A hash is looked up by its first
 * bits, or by all of it where a forged log has too many that begin alike.
 */
export class HashNumbers {
  readonly hashes: Uint8Array[] = [];
  /** By some bits: the newest hash with these, its number plus one. */
  #newest: Int32Array;
  /** By a number: the next older hash with the same bits, its number plus one. */
  #older: Int32Array;
  #shift: number;
  #isForged = false;
  /** The numbers of hashes of other lengths, which only a forged log has. */
  #odd: Map<string, number> | undefined = undefined;

  /** @param expected about how many hashes will come */
  constructor(expected: number) {
    const bits = Math.max(4, 32 - Math.clz32(expected));
    this.#shift = 32 - bits;
    this.#newest = new Int32Array(1 << bits);
    this.#older = new Int32Array(1 << bits);
  }

  /** @returns -1 for one that did not come yet */
  find(hash: Uint8Array): number {
    if (hash.length !== hashBytes) return this.#odd?.get(hashKey(hash)) ?? noNumber;
    let at = this.#newest[this.#bitsOf(hash)]!;
    while (at > 0) {
      const other = this.hashes[at - 1]!;
      if (other === hash || equalBytes(other, hash)) break;
      at = this.#older[at - 1]!;
    }
    return at - 1;
  }

  /** The number of a hash, a new one where it comes for the first time. */
  add(hash: Uint8Array): number {
    if (hash.length !== hashBytes) return this.#addOdd(hash);
    let alike = 0;
    const bits = this.#bitsOf(hash);
    for (let at = this.#newest[bits]!; at > 0; at = this.#older[at - 1]!) {
      const other = this.hashes[at - 1]!;
      if (other === hash || equalBytes(other, hash)) return at - 1;
      alike += 1;
    }
    const number = this.hashes.push(hash) - 1;
    if (number >= this.#older.length || (alike > maxAlike && !this.#isForged)) {
      this.#isForged ||= alike > maxAlike;
      this.#sortAgain();
    } else this.#hang(number, bits);
    return number;
  }

  #bitsOf(hash: Uint8Array): number {
    return (this.#isForged ? mix(hash) : firstBits(hash) << 2) >>> this.#shift;
  }

  #hang(number: number, bits: number): void {
    this.#older[number] = this.#newest[bits]!;
    this.#newest[bits] = number + 1;
  }

  #addOdd(hash: Uint8Array): number {
    this.#odd ??= new Map();
    const key = hashKey(hash);
    const known = this.#odd.get(key);
    if (known !== undefined) return known;
    const number = this.hashes.push(hash) - 1;
    this.#odd.set(key, number);
    return number;
  }

  #sortAgain(): void {
    const size = 2 * this.hashes.length;
    this.#shift = Math.clz32(size - 1);
    this.#newest = new Int32Array(2 ** (32 - this.#shift));
    this.#older = new Int32Array(this.#newest.length);
    for (let number = 0; number < this.hashes.length; number += 1) {
      const hash = this.hashes[number]!;
      if (hash.length === hashBytes) this.#hang(number, this.#bitsOf(hash));
    }
  }
}

/** The high bits of 32: no author of hashes can make many that agree in them. */
function mix(hash: Uint8Array): number {
  let sum = 0;
  for (let half = 0; half < hashBytes / 2; half += 1)
    sum += Math.imul(factors[half]!, hash[2 * half]! | (hash[2 * half + 1]! << 8));
  return sum | 0;
}
