import type { SeededNumbers } from "@vedette/devtools/seededNumbers";

const encoder = new TextEncoder();
const edges = [0, 1, 2, 0x0a, 0x20, 0x7f, 0x80, 0xfe, 0xff];
const maxChanges = 5;
const freshShare = 0.08;
const maxFreshBytes = 96;
const maxPiece = 32;

/** Makes new inputs out of those that are known to be worth something. */
export class Mutator {
  readonly #numbers: SeededNumbers;
  readonly #words: readonly Uint8Array[];
  readonly #maxBytes: number;

  constructor(numbers: SeededNumbers, words: readonly (string | Uint8Array)[], maxBytes: number) {
    this.#numbers = numbers;
    this.#words = words.map((word) => (typeof word === "string" ? encoder.encode(word) : word));
    this.#maxBytes = maxBytes;
  }

  /** A new input out of a corpus, which may be empty. */
  next(corpus: readonly Uint8Array[]): Uint8Array {
    if (corpus.length === 0 || this.#numbers.share() < freshShare) return this.#fresh();
    let input: Uint8Array = this.#oneOf(corpus);
    const changes = 1 + this.#numbers.below(maxChanges);
    for (let count = 0; count < changes; count += 1) input = this.#changed(input, corpus);
    return input.length > this.#maxBytes ? input.slice(0, this.#maxBytes) : input;
  }

  #fresh(): Uint8Array {
    const length = this.#numbers.below(maxFreshBytes);
    if (this.#words.length === 0 || this.#numbers.share() < 0.3) return this.#bytes(length);
    const words = Array.from({ length: 1 + this.#numbers.below(20) }, () => this.#oneOf(this.#words));
    return joined(...words);
  }

  #changed(input: Uint8Array, corpus: readonly Uint8Array[]): Uint8Array {
    const at = this.#numbers.below(input.length + 1);
    switch (this.#numbers.below(9)) {
      case 0:
        return this.#withByte(input, at, (byte) => byte ^ (1 << this.#numbers.below(8)));
      case 1:
        return this.#withByte(input, at, () => this.#oneOf(edges));
      case 2:
        return this.#withByte(input, at, (byte) => byte + this.#numbers.below(9) - 4);
      case 3:
        return spliced(input, at, this.#numbers.below(maxPiece), this.#none());
      case 4:
        return spliced(input, at, 0, this.#bytes(1 + this.#numbers.below(8)));
      case 5:
        return spliced(input, at, 0, this.#piece(input));
      case 6:
        return spliced(input, at, this.#numbers.below(maxPiece), this.#piece(this.#oneOf(corpus)));
      case 7: {
        const other = this.#oneOf(corpus);
        return joined(input.subarray(0, at), other.subarray(this.#numbers.below(other.length + 1)));
      }
      default:
        return this.#withWord(input, at);
    }
  }

  #withWord(input: Uint8Array, at: number): Uint8Array {
    if (this.#words.length === 0) return spliced(input, at, 2, this.#bytes(2));
    const word = this.#oneOf(this.#words);
    return spliced(input, at, this.#numbers.share() < 0.5 ? 0 : word.length, word);
  }

  #withByte(input: Uint8Array, at: number, change: (byte: number) => number): Uint8Array {
    const copy = input.slice();
    if (at < copy.length) copy[at] = change(copy[at]!);
    return copy;
  }

  #piece(input: Uint8Array): Uint8Array {
    const from = this.#numbers.below(input.length + 1);
    return input.subarray(from, from + 1 + this.#numbers.below(maxPiece));
  }

  #bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.#numbers.below(256));
  }

  #none(): Uint8Array {
    return new Uint8Array(0);
  }

  #oneOf<T>(list: readonly T[]): T {
    return list[this.#numbers.below(list.length)]!;
  }
}

function spliced(input: Uint8Array, at: number, removed: number, inserted: Uint8Array): Uint8Array {
  return joined(input.subarray(0, at), inserted, input.subarray(Math.min(input.length, at + removed)));
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const result = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}
