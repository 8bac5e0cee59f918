import { createBlake2bCompression } from "#blake2b-compression";
import { blake2bInitial, finalFlag, rootFlag } from "../hash/blake2bParts.js";
import type { Random } from "./Random.js";
import { RandomError } from "./RandomError.js";
import { f1r3nodeRoom } from "./StateBufferPool.js";

// Where the parts of a serialized state lie.
const chainBytes = 80;
const blockAt = chainBytes + 4;
const blockBytes = 128;
const pathViewAt = blockAt + blockBytes + 4;
const pathBytes = 112;
const countViewAt = pathViewAt + pathBytes + 4;
const hashAt = countViewAt + blockBytes;
const hashBytes = 64;
const positionAt = hashAt + hashBytes;
const pathLengthAt = positionAt + 8;
const stateBytes = pathLengthAt + 4;
const halfBytes = 32;
const viewedWords = 16;

// The compression's memory: a state at 0 (so that its offsets are addresses), the block of a merge, its chain, an output.
const stateAddress = 0;
const quadAddress = 640;
const mergedAddress = 768;
const outAddress = 896;

// Where the fanout lies in the chain.
const fanoutAt = 2;
const mergeLimit = 255;
const quadSize = 4;

const compression = createBlake2bCompression();
const memory = new Uint8Array(compression.memory.buffer);
// Views of the state and of the drawn bytes in the compression's memory. They are made once, since views are expensive.
const loaded = memory.subarray(stateAddress, stateBytes);
const loadedWords = new Int32Array(memory.buffer, stateAddress, stateBytes / 4);
const drawn = memory.subarray(outAddress, outAddress + hashBytes);
const mergedChain = memory.subarray(mergedAddress, mergedAddress + chainBytes);
const emptyChain = chainOfEmptySeed();
const blankState = blankStateBytes();

/**
 * The generator of names in f1r3node networks. Its state is what it serializes: besides what the generator
 * needs, three views of it that go their own ways, and are hashed with every datum and continuation.
 *
 * Quirk 61 §2.4: a path that overflows leaves the counter's view as it was, and a merge does not clear its block
 * between groups of four.
 *
 * @spec 61 §2.4
 */
export class F1r3nodeRandom implements Random<F1r3nodeRandom> {
  #state: Uint8Array;
  /** Whether the state was given away, so that it may not change any more. */
  #isShared: boolean;

  private constructor(state: Uint8Array, isShared: boolean) {
    this.#state = state;
    this.#isShared = isShared;
  }

  /** The generator of a seed of any length. @spec 21 §2.2 */
  static fromSeed(seed: Uint8Array): F1r3nodeRandom {
    memory.set(emptyChain, mergedAddress);
    for (let offset = 0; offset < seed.length; offset += blockBytes) {
      const piece = seed.subarray(offset, offset + blockBytes);
      memory.set(piece, quadAddress);
      memory.fill(0, quadAddress + piece.length, quadAddress + blockBytes);
      absorbQuad();
    }
    return new F1r3nodeRandom(createdState(), false);
  }

  /**
   * Restores a generator from {@link toBytes}, which are shared from then on.
   *
   * @throws {RandomError} `stateMalformed`
   */
  static fromBytes(state: Uint8Array): F1r3nodeRandom {
    requireState(state);
    return new F1r3nodeRandom(state, true);
  }

  /**
   * Joins generators into one that depends on all of them and on their order.
   *
   * @throws {RandomError} `tooFewToMerge` for fewer than 2
   */
  static merge(children: readonly F1r3nodeRandom[]): F1r3nodeRandom {
    return new F1r3nodeRandom(mergedState(children.map((child) => child.#state)), false);
  }

  /**
   * {@link merge} of serialized states.
   *
   * @throws {RandomError} `tooFewToMerge` for fewer than 2, `stateMalformed`
   */
  static mergeStates(states: readonly Uint8Array[]): F1r3nodeRandom {
    for (let i = 0; i < states.length; i += 1) requireState(states[i]!);
    return new F1r3nodeRandom(mergedState(states), false);
  }

  next(): Uint8Array {
    this.#own();
    const state = this.#state;
    if (state[positionAt] === halfBytes) {
      state[positionAt] = 0;
      return state.slice(hashAt + halfBytes, hashAt + hashBytes);
    }
    loaded.set(state);
    const tail = blockAt + pathBytes;
    compression.compress(stateAddress, blockAt, tail, blockBytes, finalFlag | rootFlag, outAddress);
    state.set(drawn, hashAt);
    state[positionAt] = halfBytes;
    this.#count(1);
    return state.slice(hashAt, hashAt + halfBytes);
  }

  /** The last two values are drawn, as the state keeps them. */
  skip(count: number): void {
    let left = count;
    if (left > 0 && this.#state[positionAt] === halfBytes) {
      this.next();
      left -= 1;
    }
    if (left === 0) return;
    const isHalf = left % 2 === 1;
    const pairs = Math.floor(left / 2) - (isHalf ? 0 : 1);
    this.#own();
    if (pairs > 0) this.#count(pairs);
    this.next();
    if (!isHalf) this.next();
  }

  copy(): F1r3nodeRandom {
    loaded.set(this.#state);
    loadedWords.fill(0, pathViewAt / 4, (pathViewAt + pathBytes) / 4);
    loadedWords.copyWithin(countViewAt / 4, blockAt / 4, (blockAt + blockBytes) / 4);
    loadedWords.fill(0, hashAt / 4, (positionAt + 4) / 4);
    const state = f1r3nodeRoom.take(stateBytes);
    state.set(loaded);
    return new F1r3nodeRandom(state, false);
  }

  fork(): F1r3nodeRandom {
    const state = f1r3nodeRoom.take(stateBytes);
    state.set(this.#state);
    return new F1r3nodeRandom(state, false);
  }

  splitByte(index: number): F1r3nodeRandom {
    const part = this.copy();
    part.#addPathByte(index & 0xff);
    return part;
  }

  splitShort(index: number): F1r3nodeRandom {
    const part = this.copy();
    part.#addPathByte(index & 0xff);
    part.#addPathByte((index >> 8) & 0xff);
    return part;
  }

  /** 536 bytes. */
  toBytes(): Uint8Array {
    this.#isShared = true;
    return this.#state;
  }

  #own(): void {
    if (!this.#isShared) return;
    const state = f1r3nodeRoom.take(stateBytes);
    state.set(this.#state);
    this.#state = state;
    this.#isShared = false;
  }

  /** Counts this many pairs of values as drawn. */
  #count(pairs: number): void {
    const state = this.#state;
    grow(state, countViewAt + pathBytes, pairs);
    state.copyWithin(blockAt + pathBytes, countViewAt + pathBytes, countViewAt + blockBytes);
  }

  #addPathByte(byte: number): void {
    const state = this.#state;
    if (state[pathLengthAt] === pathBytes) {
      loaded.set(state);
      compression.compress(stateAddress, blockAt, blockAt + pathBytes, blockBytes, 0, stateAddress);
      state.set(memory.subarray(stateAddress, chainBytes));
      state.fill(0, blockAt, blockAt + blockBytes);
      state[pathLengthAt] = 0;
    }
    const place = state[pathLengthAt]!++;
    state[blockAt + place] = byte;
    state[pathViewAt + place] = byte;
  }
}

/** @throws {RandomError} `tooFewToMerge` for fewer than 2 */
function mergedState(states: readonly Uint8Array[]): Uint8Array {
  if (states.length < 2) throw new RandomError({ code: "tooFewToMerge", received: states.length });
  memory.fill(0, quadAddress, quadAddress + blockBytes);
  let level = states;
  do {
    const merged: Uint8Array[] = [];
    for (let start = 0; start < level.length; start += mergeLimit)
      merged.push(mergedSlice(level, start, Math.min(start + mergeLimit, level.length)));
    level = merged;
  } while (level.length > 1);
  return level[0]!;
}

/** One state out of up to 255, taken in groups of up to 4. */
function mergedSlice(states: readonly Uint8Array[], start: number, end: number): Uint8Array {
  memory.set(emptyChain, mergedAddress);
  memory[mergedAddress + fanoutAt]! ^= end - start;
  for (let quad = start; quad < end; quad += quadSize) {
    const quadEnd = Math.min(quad + quadSize, end);
    for (let i = quad; i < quadEnd; i += 1) {
      loaded.set(states[i]!);
      compression.compress(stateAddress, blockAt, blockAt + pathBytes, blockBytes, finalFlag, outAddress);
      memory.copyWithin(quadAddress + halfBytes * (i - quad), outAddress, outAddress + halfBytes);
    }
    absorbQuad();
  }
  return createdState();
}

/** Makes a state that has its chain at `mergedAddress`; everything else in it is new. */
function createdState(): Uint8Array {
  const state = f1r3nodeRoom.take(stateBytes);
  state.set(blankState);
  state.set(mergedChain);
  return state;
}

/** Compresses the block at `quadAddress` into the chain at `mergedAddress`. */
function absorbQuad(): void {
  compression.compress(mergedAddress, quadAddress, quadAddress + pathBytes, blockBytes, 0, mergedAddress);
}

/** Adds to the little-endian number of 128 bits. */
function grow(bytes: Uint8Array, at: number, amount: number): void {
  let carry = amount;
  for (let i = at; i < at + blockBytes - pathBytes && carry > 0; i += 1) {
    carry += bytes[i]!;
    bytes[i] = carry & 0xff;
    carry = Math.floor(carry / 0x100);
  }
}

/** @throws {RandomError} `stateMalformed` */
function requireState(state: Uint8Array): void {
  if (!isState(state)) throw new RandomError({ code: "stateMalformed", length: state.length });
}

/** PERF: called for every datum that is taken, hence without a view of the bytes. */
function isState(state: Uint8Array): boolean {
  if (state.length !== stateBytes) return false;
  const position = state[positionAt]!;
  return (
    isSmall(state, blockAt - 4) &&
    state[blockAt - 4] === blockBytes &&
    isSmall(state, pathViewAt - 4) &&
    state[pathViewAt - 4] === pathBytes &&
    isSmall(state, countViewAt - 4) &&
    state[countViewAt - 4] === viewedWords &&
    isSmall(state, positionAt) &&
    (position === 0 || position === halfBytes) &&
    isSmall(state, positionAt + 4) &&
    state[positionAt + 4] === 0 &&
    isSmall(state, pathLengthAt) &&
    state[pathLengthAt]! <= pathBytes
  );
}

/** Whether a little-endian number of 32 bits is one of 8. */
function isSmall(bytes: Uint8Array, at: number): boolean {
  return (bytes[at + 1]! | bytes[at + 2]! | bytes[at + 3]!) === 0;
}

/** The content of all new states, without the chain. */
function blankStateBytes(): Uint8Array {
  const state = new Uint8Array(stateBytes);
  state[blockAt - 4] = blockBytes;
  state[pathViewAt - 4] = pathBytes;
  state[countViewAt - 4] = viewedWords;
  return state;
}

function chainOfEmptySeed(): Uint8Array {
  const chain = new BigUint64Array(blake2bInitial);
  // Digest length 64, no key, fanout 0 (see `fanoutAt`), depth 255; inner hash length 32.
  chain[0]! ^= 0xff000040n;
  chain[2]! ^= 0x2000n;
  const state = new Uint8Array(chainBytes);
  state.set(new Uint8Array(chain.buffer));
  return state;
}
