import { blake2bInitial, createBlake2bCompression, finalFlag, rootFlag } from "../hash/blake2bCompression.js";
import type { Random } from "./Random.js";
import { RandomError } from "./RandomError.js";

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

// The compression's memory: the chain and block that are worked on, the block of a merge, its chain, an output.
const chainAddress = 0;
const blockAddress = 128;
const quadAddress = 256;
const mergedAddress = 384;
const outAddress = 512;

// Where the fanout lies in the chain.
const fanoutAt = 2;
const mergeLimit = 255;
const quadSize = 4;

const compression = createBlake2bCompression(1);
const memory = new Uint8Array(compression.memory.buffer);
const emptyChain = chainOfEmptySeed();

/**
 * The generator of names in networks of the newer node. Its state is what it serializes: besides what the generator
 * needs, three views of it that go their own ways, and are hashed with every datum and continuation.
 *
 * Quirk 61 §2.4: a path that overflows leaves the counter's view as it was, and a merge does not clear its block
 * between groups of four.
 *
 * @spec 61 §2.4
 */
export class RustRandom implements Random<RustRandom> {
  #state: Uint8Array;
  /** Whether the state was given away, so that it may not change any more. */
  #isShared: boolean;

  private constructor(state: Uint8Array, isShared: boolean) {
    this.#state = state;
    this.#isShared = isShared;
  }

  /** The generator of a seed of any length. @spec 21 §2.2 */
  static fromSeed(seed: Uint8Array): RustRandom {
    memory.set(emptyChain, mergedAddress);
    for (let offset = 0; offset < seed.length; offset += blockBytes) {
      const piece = seed.subarray(offset, offset + blockBytes);
      memory.set(piece, quadAddress);
      memory.fill(0, quadAddress + piece.length, quadAddress + blockBytes);
      absorbQuad();
    }
    return RustRandom.#created();
  }

  /**
   * Restores a generator from {@link toBytes}, which are shared from then on.
   *
   * @throws {RandomError} `stateMalformed`
   */
  static fromBytes(state: Uint8Array): RustRandom {
    if (!isState(state)) throw new RandomError({ code: "stateMalformed", length: state.length });
    return new RustRandom(state, true);
  }

  /**
   * Joins generators into one that depends on all of them and on their order.
   *
   * @throws {RandomError} `tooFewToMerge` for fewer than 2
   */
  static merge(children: readonly RustRandom[]): RustRandom {
    if (children.length < 2) throw new RandomError({ code: "tooFewToMerge", received: children.length });
    memory.fill(0, quadAddress, quadAddress + blockBytes);
    let level = children;
    do {
      const merged: RustRandom[] = [];
      for (let start = 0; start < level.length; start += mergeLimit) {
        merged.push(RustRandom.#mergeSlice(level.slice(start, start + mergeLimit)));
      }
      level = merged;
    } while (level.length > 1);
    return level[0]!;
  }

  next(): Uint8Array {
    this.#own();
    const state = this.#state;
    if (state[positionAt] === halfBytes) {
      state[positionAt] = 0;
      return state.slice(hashAt + halfBytes, hashAt + hashBytes);
    }
    this.#load();
    compression.compress(
      chainAddress,
      blockAddress,
      blockAddress + pathBytes,
      blockBytes,
      finalFlag | rootFlag,
      outAddress,
    );
    state.set(memory.subarray(outAddress, outAddress + hashBytes), hashAt);
    state[positionAt] = halfBytes;
    grow(state, countViewAt + pathBytes);
    state.copyWithin(blockAt + pathBytes, countViewAt + pathBytes, countViewAt + blockBytes);
    return state.slice(hashAt, hashAt + halfBytes);
  }

  copy(): RustRandom {
    const state = this.#state.slice();
    state.fill(0, pathViewAt, pathViewAt + pathBytes);
    state.copyWithin(countViewAt, blockAt, blockAt + blockBytes);
    state.fill(0, hashAt, positionAt + 1);
    return new RustRandom(state, false);
  }

  splitByte(index: number): RustRandom {
    const part = this.copy();
    part.#addPathByte(index & 0xff);
    return part;
  }

  splitShort(index: number): RustRandom {
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

  static #mergeSlice(children: readonly RustRandom[]): RustRandom {
    memory.set(emptyChain, mergedAddress);
    memory[mergedAddress + fanoutAt]! ^= children.length;
    for (let start = 0; start < children.length; start += quadSize) {
      const quad = children.slice(start, start + quadSize);
      quad.forEach((child, place) => {
        child.#load();
        const tail = blockAddress + pathBytes;
        compression.compress(chainAddress, blockAddress, tail, blockBytes, finalFlag, outAddress);
        memory.copyWithin(quadAddress + halfBytes * place, outAddress, outAddress + halfBytes);
      });
      absorbQuad();
    }
    return RustRandom.#created();
  }

  /** The generator whose chain lies at `mergedAddress`; everything else in it is new. */
  static #created(): RustRandom {
    const state = new Uint8Array(stateBytes);
    state.set(memory.subarray(mergedAddress, mergedAddress + chainBytes));
    state[blockAt - 4] = blockBytes;
    state[pathViewAt - 4] = pathBytes;
    state[countViewAt - 4] = viewedWords;
    return new RustRandom(state, false);
  }

  /** Puts chain and block where the compression takes them. */
  #load(): void {
    memory.set(this.#state.subarray(0, chainBytes), chainAddress);
    memory.set(this.#state.subarray(blockAt, blockAt + blockBytes), blockAddress);
  }

  #own(): void {
    if (this.#isShared) this.#state = this.#state.slice();
    this.#isShared = false;
  }

  #addPathByte(byte: number): void {
    const state = this.#state;
    if (state[pathLengthAt] === pathBytes) {
      this.#load();
      compression.compress(chainAddress, blockAddress, blockAddress + pathBytes, blockBytes, 0, chainAddress);
      state.set(memory.subarray(chainAddress, chainAddress + chainBytes));
      state.fill(0, blockAt, blockAt + blockBytes);
      state[pathLengthAt] = 0;
    }
    const place = state[pathLengthAt]!++;
    state[blockAt + place] = byte;
    state[pathViewAt + place] = byte;
  }
}

/** Compresses the block at `quadAddress` into the chain at `mergedAddress`. */
function absorbQuad(): void {
  compression.compress(mergedAddress, quadAddress, quadAddress + pathBytes, blockBytes, 0, mergedAddress);
}

/** Adds one to the little-endian number of 128 bits. */
function grow(bytes: Uint8Array, at: number): void {
  for (let i = at; i < at + blockBytes - pathBytes; i += 1) {
    bytes[i]! += 1;
    if (bytes[i] !== 0) return;
  }
}

function isState(state: Uint8Array): boolean {
  if (state.length !== stateBytes) return false;
  const view = new DataView(state.buffer, state.byteOffset, stateBytes);
  const position = view.getBigUint64(positionAt, true);
  return (
    view.getUint32(blockAt - 4, true) === blockBytes &&
    view.getUint32(pathViewAt - 4, true) === pathBytes &&
    view.getUint32(countViewAt - 4, true) === viewedWords &&
    (position === 0n || position === BigInt(halfBytes)) &&
    view.getUint32(pathLengthAt, true) <= pathBytes
  );
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
