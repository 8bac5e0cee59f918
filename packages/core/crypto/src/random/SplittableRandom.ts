import { createBlake2bCompression } from "#blake2b-compression";
import { equalBytes } from "../bytes/compare.js";
import { blake2bInitial, finalFlag, rootFlag } from "../hash/blake2bParts.js";
import type { Random } from "./Random.js";
import { RandomError } from "./RandomError.js";
import { rnodeRoom } from "./StateBufferPool.js";

// A serialized state: counter (16), chain (64 + 16), path length, position, path, unused half.
const chainOffset = 16;
const pathLengthOffset = 96;
const positionOffset = 97;
const pathOffset = 98;
const pathLimit = 112;
const halfSize = 32;

// The compression's memory: a serialized state at 0 (so that its offsets are addresses), the block of a merge, the state that a merge makes, an output.
const stateAddress = 0;
const quadAddress = 256;
const mergedAddress = 512;
const outAddress = 768;

// Where the fanout lies in the first chain word.
const fanoutOffset = 2;

const blockSize = 128;
const mergeLimit = 255;
const quadSize = 4;
const addedLimit = 3;

const compression = createBlake2bCompression();
const memory = new Uint8Array(compression.memory.buffer);
const emptyState = stateOfEmptySeed();

// Views of the compression's memory, one for each length of a state. They are made once, since views are expensive.
const statesByLength = new Array<Uint8Array | undefined>(quadAddress).fill(undefined);

/**
 * The splittable and mergeable generator of unforgeable names (`Blake2b512Random`).
 *
 * `next` and `skip` change the generator; `split…`, `copy`, `fork` and `merge` make new ones and leave theirs as they
 * are. Bytes that go into `fromBytes` or come out of `toBytes` are shared: callers may not change them.
 *
 * PERF: an array of more than 64 bytes lies outside the engine's heap and is expensive to make. So a
 * state is kept as the last serialized one and the changes since. Only `toBytes` and `merge`
 * make such an array, and some twenty of them share one buffer. One compression for two values of `next` and for each merged child.
 *
 * @spec 21 §2
 */
export class SplittableRandom implements Random<SplittableRandom> {
  /** A serialized state, of which the position and the unused half do not count. */
  #base: Uint8Array;
  /** Path bytes that follow those of the base: their number (0 to 3), and the bytes, the first one lowest. */
  #addedLength: number;
  #added: number;
  /** How much the counter has grown since the base. */
  #drawn: number;
  #position: 0 | 32;
  #unused: Uint8Array | undefined;
  /** The serialized state, where it is known. */
  #bytes: Uint8Array | undefined;

  private constructor(base: Uint8Array, addedLength: number, added: number, drawn: number) {
    this.#base = base;
    this.#addedLength = addedLength;
    this.#added = added;
    this.#drawn = drawn;
    this.#position = 0;
    this.#unused = undefined;
    this.#bytes = undefined;
  }

  /** The generator of a seed of any length. @spec 21 §2.2 */
  static fromSeed(seed: Uint8Array): SplittableRandom {
    memory.set(emptyState, mergedAddress);
    for (let offset = 0; offset < seed.length; offset += blockSize) {
      const piece = seed.subarray(offset, offset + blockSize);
      memory.set(piece, quadAddress);
      memory.fill(0, quadAddress + piece.length, quadAddress + blockSize);
      absorbQuad();
    }
    return mergedRandom();
  }

  /**
   * Restores a generator from {@link toBytes}; no bytes at all are the generator of the empty seed.
   *
   * @spec 21 §2.3
   * @throws {RandomError} `stateMalformed`
   */
  static fromBytes(bytes: Uint8Array): SplittableRandom {
    if (bytes.length === 0) return new SplittableRandom(emptyState, 0, 0, 0);
    const pathLength = bytes[pathLengthOffset];
    const position = bytes[positionOffset];
    const isWellFormed =
      pathLength !== undefined &&
      pathLength <= pathLimit &&
      (position === 0 || position === halfSize) &&
      bytes.length === pathOffset + pathLength + position;
    if (!isWellFormed) throw new RandomError({ code: "stateMalformed", length: bytes.length });
    const random = new SplittableRandom(bytes, 0, 0, 0);
    random.#position = position;
    random.#bytes = bytes;
    return random;
  }

  /**
   * Joins generators into one that depends on all of them and on their order.
   *
   * @spec 21 §2.2
   * @throws {RandomError} `tooFewToMerge` for fewer than 2
   */
  static merge(children: readonly SplittableRandom[]): SplittableRandom {
    if (children.length < 2) throw new RandomError({ code: "tooFewToMerge", received: children.length });
    if (children.length <= mergeLimit) return SplittableRandom.#mergeSlice(children, 0, children.length);
    const merged: SplittableRandom[] = [];
    for (let start = 0; start < children.length; start += mergeLimit) {
      merged.push(SplittableRandom.#mergeSlice(children, start, Math.min(start + mergeLimit, children.length)));
    }
    return SplittableRandom.merge(merged);
  }

  /**
   * {@link merge} of two serialized states, as every COMM of one datum needs it.
   *
   * @spec 21 §2.2
   * @throws {RandomError} `stateMalformed`
   */
  static mergeStates(first: Uint8Array, second: Uint8Array): SplittableRandom {
    if (!isPlainState(first) || !isPlainState(second))
      return SplittableRandom.merge([SplittableRandom.fromBytes(first), SplittableRandom.fromBytes(second)]);
    memory.set(emptyState, mergedAddress);
    memory[mergedAddress + chainOffset + fanoutOffset]! ^= 2;
    compressState(first, quadAddress);
    compressState(second, quadAddress + halfSize);
    memory.fill(0, quadAddress + 2 * halfSize, quadAddress + blockSize);
    absorbQuad();
    return mergedRandom();
  }

  /** The serialized state; shared, not to be changed. @spec 21 §2.3 */
  toBytes(): Uint8Array {
    if (this.#bytes === undefined) {
      const end = this.#load();
      memory[positionOffset] = this.#position;
      if (this.#position === halfSize) memory.set(this.#unused!, end);
      this.#rebase(keepState(end + this.#position));
      this.#bytes = this.#base;
    }
    return this.#bytes;
  }

  /** The next 32 bytes, a copy of its own. @spec 21 §2.2 */
  next(): Uint8Array {
    if (this.#position === halfSize) {
      const result = this.#unused ?? this.#base.slice(this.#base.length - halfSize);
      this.#position = 0;
      this.#unused = undefined;
      this.#bytes = undefined;
      return result;
    }
    this.#load();
    compression.compress(chainOffset, pathOffset, stateAddress, blockSize, finalFlag | rootFlag, outAddress);
    this.#drawn++;
    this.#position = halfSize;
    this.#unused = memory.slice(outAddress + halfSize, outAddress + 2 * halfSize);
    this.#bytes = undefined;
    return memory.slice(outAddress, outAddress + halfSize);
  }

  skip(count: number): void {
    let left = count;
    if (left > 0 && this.#position === halfSize) {
      this.next();
      left -= 1;
    }
    if (left > 1) this.#bytes = undefined;
    this.#drawn += Math.floor(left / 2);
    if (left % 2 === 1) this.next();
  }

  /**
   * A generator with the same state, except that an unused half is dropped.
   *
   * @spec 21 §2.2
   */
  copy(): SplittableRandom {
    // Quirk 21 §2.2: the counter has moved on with the first half, so the copy never gives the second one.
    return new SplittableRandom(this.#base, this.#addedLength, this.#added, this.#drawn);
  }

  fork(): SplittableRandom {
    const fork = this.copy();
    fork.#position = this.#position;
    fork.#unused = this.#unused;
    fork.#bytes = this.#bytes;
    return fork;
  }

  /** A new generator for the part with this number, from 0 to 255 (only the low 8 bits count). @spec 21 §2.2 */
  splitByte(index: number): SplittableRandom {
    const part = this.copy();
    part.#addPathByte(index & 0xff);
    return part;
  }

  /** A new generator for the part with this number, from 0 to 65535 (only the low 16 bits count). @spec 21 §2.2 */
  splitShort(index: number): SplittableRandom {
    const part = this.copy();
    part.#addPathByte(index & 0xff);
    part.#addPathByte((index >> 8) & 0xff);
    return part;
  }

  /** Whether both will give the same values for ever. @spec 21 §2.3 */
  equals(other: SplittableRandom): boolean {
    return equalBytes(this.toBytes(), other.toBytes());
  }

  /** One generator out of up to 255 children, taken in groups of up to 4. */
  static #mergeSlice(children: readonly SplittableRandom[], start: number, end: number): SplittableRandom {
    memory.set(emptyState, mergedAddress);
    memory[mergedAddress + chainOffset + fanoutOffset]! ^= end - start;
    for (let quad = start; quad < end; quad += quadSize) {
      const quadEnd = Math.min(quad + quadSize, end);
      for (let i = quad; i < quadEnd; i++) {
        children[i]!.#load();
        // 80 bytes are written and 32 of them count: the rest is overwritten by the next child or by the zeros.
        const target = quadAddress + halfSize * (i - quad);
        compression.compress(chainOffset, pathOffset, stateAddress, blockSize, finalFlag, target);
      }
      memory.fill(0, quadAddress + halfSize * (quadEnd - quad), quadAddress + blockSize);
      absorbQuad();
    }
    return mergedRandom();
  }

  #addPathByte(byte: number): void {
    if (this.#base[pathLengthOffset]! + this.#addedLength === pathLimit) this.#foldPath();
    if (this.#addedLength === addedLimit) this.#rebase(keepState(this.#load()));
    this.#added |= byte << (8 * this.#addedLength);
    this.#addedLength++;
  }

  /** Compresses the full path into the chain; path and counter start anew. */
  #foldPath(): void {
    this.#load();
    compression.compress(chainOffset, pathOffset, stateAddress, blockSize, 0, chainOffset);
    memory.fill(0, stateAddress, chainOffset);
    memory[pathLengthOffset] = 0;
    this.#rebase(keepState(pathOffset));
  }

  #rebase(base: Uint8Array): void {
    this.#base = base;
    this.#addedLength = 0;
    this.#added = 0;
    this.#drawn = 0;
  }

  /**
   * Puts the state, without its position, at `stateAddress`, the path filled up with zeros.
   *
   * @returns the address after the path
   */
  #load(): number {
    const base = this.#base;
    memory.set(base, stateAddress);
    let end = pathOffset + base[pathLengthOffset]!;
    for (let added = this.#added, left = this.#addedLength; left > 0; left--, added >>>= 8) memory[end++] = added;
    memory[pathLengthOffset] = end - pathOffset;
    memory.fill(0, end, pathOffset + pathLimit);
    if (this.#drawn > 0) growCounter(this.#drawn);
    return end;
  }
}

/** Whether a serialized state is well-formed and has no unused half. */
function isPlainState(state: Uint8Array): boolean {
  return (
    state.length >= pathOffset &&
    state[positionOffset] === 0 &&
    state[pathLengthOffset] === state.length - pathOffset &&
    state.length <= pathOffset + pathLimit
  );
}

/** Puts the 32 bytes that a plain state has in a merge at `target`, of 80 that are written there. */
function compressState(state: Uint8Array, target: number): void {
  memory.set(state, stateAddress);
  memory.fill(0, state.length, pathOffset + pathLimit);
  compression.compress(chainOffset, pathOffset, stateAddress, blockSize, finalFlag, target);
}

/** Compresses the block at `quadAddress` into the chain of the state at `mergedAddress`. */
function absorbQuad(): void {
  const chain = mergedAddress + chainOffset;
  compression.compress(chain, quadAddress, quadAddress + pathLimit, blockSize, 0, chain);
}

/** Makes the generator that has its state at `mergedAddress`; its path is empty. */
function mergedRandom(): SplittableRandom {
  memory.copyWithin(stateAddress, mergedAddress, mergedAddress + pathOffset);
  return SplittableRandom.fromBytes(keepState(pathOffset));
}

/** A copy of the first bytes of the compression's memory. */
function keepState(length: number): Uint8Array {
  const state = rnodeRoom.take(length);
  state.set((statesByLength[length] ??= memory.subarray(stateAddress, length)));
  return state;
}

/** Adds to the counter of the state at `stateAddress`, a little-endian number of 128 bits. */
function growCounter(amount: number): void {
  let carry = amount;
  for (let i = 0; i < chainOffset && carry > 0; i++) {
    carry += memory[i]!;
    memory[i] = carry & 0xff;
    carry = Math.floor(carry / 0x100);
  }
}

function stateOfEmptySeed(): Uint8Array {
  const chain = new BigUint64Array(blake2bInitial);
  // Digest length 64, no key, fanout 0 (see `fanoutOffset`), depth 255; inner hash length 32.
  chain[0]! ^= 0xff000040n;
  chain[2]! ^= 0x2000n;
  const state = new Uint8Array(pathOffset);
  state.set(new Uint8Array(chain.buffer), chainOffset);
  return state;
}
