import { equalBytes } from "../bytes/compare.js";
import { blake2bInitial, createBlake2bCompression, finalFlag, rootFlag } from "../hash/blake2bCompression.js";
import { RandomError } from "./RandomError.js";

// A serialized state: counter (16), chain (64 + 16), path length, position, path, unused half.
const chainOffset = 16;
const pathLengthOffset = 96;
const positionOffset = 97;
const pathOffset = 98;
const pathLimit = 112;
const halfSize = 32;

// The compression's memory: a serialized state, the block of a merge, the state that a merge makes, an output.
const stateAddress = 0;
const quadAddress = 256;
const mergedAddress = 512;
const outAddress = 768;

// Where the fanout lies in the first chain word.
const fanoutOffset = 2;

const blockSize = 128;
const mergeLimit = 255;
const quadSize = 4;

const compression = createBlake2bCompression(1);
const memory = new Uint8Array(compression.memory.buffer);
const emptyState = stateOfEmptySeed();

/**
 * The splittable and mergeable generator of unforgeable names (`Blake2b512Random`).
 *
 * `next` changes the generator; `split…`, `copy` and `merge` make new ones and leave theirs as they
 * are. The state is kept in its serialized form, so that `fromBytes` and `toBytes` cost nothing:
 * bytes that go in or come out are shared and must not be changed by anyone.
 *
 * PERF: one compression for two values of `next` and for one merged child; a split copies about 100 bytes.
 *
 * @spec 21 §2
 */
export class SplittableRandom {
  /** Serialized, but what follows the path and the position byte may be out of date while `#bytes` is undefined. */
  #state: Uint8Array;
  /** Whether nobody else holds `#state`, so that its counter may be changed in place. */
  #isOwn: boolean;
  #position: 0 | 32;
  #unused: Uint8Array | undefined;
  #bytes: Uint8Array | undefined;

  private constructor(state: Uint8Array, isOwn: boolean, position: 0 | 32, bytes: Uint8Array | undefined) {
    this.#state = state;
    this.#isOwn = isOwn;
    this.#position = position;
    this.#unused = undefined;
    this.#bytes = bytes;
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
    return new SplittableRandom(mergedState(), true, 0, undefined);
  }

  /**
   * Restores a generator from {@link toBytes}; no bytes at all are the generator of the empty seed.
   *
   * @spec 21 §2.3
   * @throws {RandomError} `stateMalformed`
   */
  static fromBytes(bytes: Uint8Array): SplittableRandom {
    if (bytes.length === 0) return new SplittableRandom(emptyState, false, 0, emptyState);
    const pathLength = bytes[pathLengthOffset];
    const position = bytes[positionOffset];
    const isWellFormed =
      pathLength !== undefined &&
      pathLength <= pathLimit &&
      (position === 0 || position === halfSize) &&
      bytes.length === pathOffset + pathLength + position;
    if (!isWellFormed) throw new RandomError({ code: "stateMalformed", length: bytes.length });
    return new SplittableRandom(bytes, false, position, bytes);
  }

  /**
   * Joins generators into one that depends on all of them and on their order.
   *
   * @spec 21 §2.2
   * @throws {RandomError} `tooFewToMerge` for fewer than 2
   */
  static merge(children: readonly SplittableRandom[]): SplittableRandom {
    if (children.length < 2) throw new RandomError({ code: "tooFewToMerge", received: children.length });
    let level = children;
    for (;;) {
      const next: SplittableRandom[] = [];
      for (let start = 0; start < level.length; start += mergeLimit) {
        next.push(SplittableRandom.#mergeSlice(level, start, Math.min(start + mergeLimit, level.length)));
      }
      if (next.length === 1) return next[0]!;
      level = next;
    }
  }

  /** The serialized state; shared, not to be changed. @spec 21 §2.3 */
  toBytes(): Uint8Array {
    if (this.#bytes === undefined) {
      if (this.#position === 0) {
        this.#isOwn = false;
        this.#bytes = this.#state;
      } else {
        const length = this.#state.length;
        const bytes = new Uint8Array(length + halfSize);
        bytes.set(this.#state);
        bytes[positionOffset] = halfSize;
        bytes.set(this.#unused!, length);
        this.#bytes = bytes;
      }
    }
    return this.#bytes;
  }

  /** The next 32 bytes, a copy of its own. @spec 21 §2.2 */
  next(): Uint8Array {
    if (!this.#isOwn) this.#own();
    this.#bytes = undefined;
    if (this.#position === halfSize) {
      const result = this.#unused!;
      this.#position = 0;
      this.#unused = undefined;
      return result;
    }
    loadState(this.#state);
    compression.compress(chainOffset, pathOffset, stateAddress, blockSize, finalFlag | rootFlag, outAddress);
    incrementCounter(this.#state);
    this.#position = halfSize;
    this.#unused = memory.slice(outAddress + halfSize, outAddress + 2 * halfSize);
    return memory.slice(outAddress, outAddress + halfSize);
  }

  /**
   * A generator with the same state, except that an unused half is dropped.
   *
   * @spec 21 §2.2
   */
  copy(): SplittableRandom {
    // Quirk 21 §2.2: the counter has moved on with the first half, so the copy never gives the second one.
    const { length } = this.#state;
    if (length !== pathOffset + this.#state[pathLengthOffset]!) this.#own();
    this.#isOwn = false;
    return new SplittableRandom(this.#state, false, 0, this.#position === 0 ? this.#bytes : undefined);
  }

  /** A new generator for the part with this number, from 0 to 255 (only the low 8 bits count). @spec 21 §2.2 */
  splitByte(index: number): SplittableRandom {
    return new SplittableRandom(withPathByte(this.#state, index), true, 0, undefined);
  }

  /** A new generator for the part with this number, from 0 to 65535 (only the low 16 bits count). @spec 21 §2.2 */
  splitShort(index: number): SplittableRandom {
    const state = withPathByte(withPathByte(this.#state, index), index >> 8);
    return new SplittableRandom(state, true, 0, undefined);
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
        loadState(children[i]!.#state);
        // 80 bytes are written and 32 of them count: the rest is overwritten by the next child or by the zeros.
        const target = quadAddress + halfSize * (i - quad);
        compression.compress(chainOffset, pathOffset, stateAddress, blockSize, finalFlag, target);
      }
      memory.fill(0, quadAddress + halfSize * (quadEnd - quad), quadAddress + blockSize);
      absorbQuad();
    }
    return new SplittableRandom(mergedState(), true, 0, undefined);
  }

  /** Makes `#state` a private copy that ends with the path, and takes an unused half out of it. */
  #own(): void {
    const state = this.#state;
    const end = pathOffset + state[pathLengthOffset]!;
    if (this.#position === halfSize && this.#unused === undefined) this.#unused = state.slice(end);
    this.#state = state.slice(0, end);
    this.#state[positionOffset] = 0;
    this.#isOwn = true;
  }
}

/** Puts a state at `stateAddress`, its path filled up with zeros to a block without its counter. */
function loadState(state: Uint8Array): void {
  memory.set(state, stateAddress);
  memory.fill(0, stateAddress + pathOffset + state[pathLengthOffset]!, stateAddress + pathOffset + pathLimit);
}

/** Compresses the block at `quadAddress` into the chain of the state at `mergedAddress`. */
function absorbQuad(): void {
  const chain = mergedAddress + chainOffset;
  compression.compress(chain, quadAddress, quadAddress + pathLimit, blockSize, 0, chain);
}

/** A copy of the state at `mergedAddress`, whose path is empty. */
function mergedState(): Uint8Array {
  return memory.slice(mergedAddress, mergedAddress + pathOffset);
}

/** A copy of a state at position 0 whose path has one more byte; a full path is compressed into the chain before. */
function withPathByte(state: Uint8Array, byte: number): Uint8Array {
  const pathLength = state[pathLengthOffset]!;
  if (pathLength === pathLimit) return withPathByte(foldPath(state), byte);
  const end = pathOffset + pathLength;
  const longer = new Uint8Array(end + 1);
  longer.set(state.length === end ? state : state.subarray(0, end));
  longer[pathLengthOffset] = pathLength + 1;
  longer[positionOffset] = 0;
  longer[end] = byte;
  return longer;
}

/** A state whose full path has gone into the chain; path and counter start anew. */
function foldPath(state: Uint8Array): Uint8Array {
  loadState(state);
  compression.compress(chainOffset, pathOffset, stateAddress, blockSize, 0, chainOffset);
  memory.fill(0, stateAddress, chainOffset);
  memory.fill(0, pathLengthOffset, pathOffset);
  return memory.slice(stateAddress, pathOffset);
}

/** Adds 1 to the counter, a little-endian number of 128 bits. */
function incrementCounter(state: Uint8Array): void {
  for (let i = 0; i < chainOffset; i++) {
    const byte = (state[i]! + 1) & 0xff;
    state[i] = byte;
    if (byte !== 0) return;
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
