/** The random generator that fast-check takes. */
interface RandomGenerator {
  clone(): RandomGenerator;
  next(): number;
  getState(): readonly number[];
}

const seedBytes = 4;
const bytesPerChoice = 2;

/**
 * Choices written as bytes: four are a seed, then two for each choice; when they are used up the seed goes on alone.
 * So a value made by an arbitrary is an input like any other: what is changed in the bytes changes a choice.
 */
export class Choices implements RandomGenerator {
  readonly #bytes: Uint8Array;
  #at: number;
  #state: number;

  constructor(bytes: Uint8Array, at = seedBytes, state = seedOf(bytes)) {
    this.#bytes = bytes;
    this.#at = at;
    this.#state = state;
  }

  clone(): Choices {
    return new Choices(this.#bytes, this.#at, this.#state);
  }

  /** 32 bits, signed. */
  next(): number {
    if (this.#at + bytesPerChoice <= this.#bytes.length) {
      const choice = this.#bytes[this.#at]! | (this.#bytes[this.#at + 1]! << 8);
      this.#at += bytesPerChoice;
      return mixed(Math.imul(choice + 1, 0x9e3779b1));
    }
    this.#state = (this.#state + 0x9e3779b9) | 0;
    return mixed(this.#state);
  }

  getState(): readonly number[] {
    return [this.#at, this.#state];
  }
}

function seedOf(bytes: Uint8Array): number {
  let seed = 0;
  for (let index = 0; index < seedBytes; index += 1) seed = (seed << 8) | (bytes[index] ?? 0);
  return seed;
}

function mixed(bits: number): number {
  let result = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad);
  result = Math.imul(result ^ (result >>> 15), 0x735a2d97);
  return result ^ (result >>> 15);
}
