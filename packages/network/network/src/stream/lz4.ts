import { NetworkError } from "../NetworkError.js";

// A sequence is a token (length of literals, length of the match), literals, and two bytes for the distance back to the
// match.
const minMatch = 4;
const maxNibble = 15;
const maxDistance = 0xffff;
/** The last sequence is literals alone, at least this many, and no match begins in the last twelve bytes. */
const lastLiterals = 5;
const lastMatchStart = 12;

const hashBits = 15;
const hashFactor = 2_654_435_761;
/** The longer nothing is found, the larger the steps: what cannot be compressed costs little time. */
const skipBits = 6;

/** Copies up to these are quicker byte by byte. */
const shortCopy = 24;
/** The bytes that are read and written between two turns of the event loop: some milliseconds. */
const sliceBytes = 512 * 1024;

/**
 * Compresses to one raw LZ4 block. Works in slices, between which the event loop goes on.
 *
 * PERF: its memory is the engine's own; a native library with an allocator of its own was seen to keep hundreds of megabytes.
 *
 * @spec 10 §3.6
 */
export function compressLz4(content: Uint8Array): Promise<Uint8Array> {
  const block = lastBlock.then(async () => {
    const compressor = new Compressor(content);
    // The code that reads the content, and the end, runs in turns of its own.
    do await nextTurn();
    while (!compressor.work(sliceBytes));
    if (content.length > sliceBytes) await nextTurn();
    return compressor.finish();
  });
  lastBlock = block.catch(() => undefined);
  return block;
}

/** Blocks are made one after the other: at once they would not be done sooner, and each needs as much memory as its content. */
let lastBlock: Promise<unknown> = Promise.resolve();

/**
 * Expands a raw LZ4 block to at most `maxBytes` bytes. Works in slices, between which the event loop goes on.
 *
 * @spec 10 §3.6
 * @throws {NetworkError} `protocol` for bytes that are not a block, and for a block with more content
 */
export async function expandLz4(block: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const expander = new Expander(block, maxBytes);
  while (!expander.work(sliceBytes)) await nextTurn();
  return expander.finish();
}

class Compressor {
  readonly #content: Uint8Array;
  readonly #out: Uint8Array;
  /** Where four bytes with such a hash were seen last, counted from one. */
  readonly #seen = new Int32Array(1 << hashBits);
  #written = 0;
  /** Where the literals begin that are not written yet. */
  #anchor = 0;
  #at = 0;

  constructor(content: Uint8Array) {
    this.#content = content;
    this.#out = new Uint8Array(content.length + Math.ceil(content.length / 255) + 16);
  }

  /** @returns whether all is done */
  work(bytes: number): boolean {
    const content = this.#content;
    const seen = this.#seen;
    const end = content.length - lastMatchStart;
    const pause = this.#at + bytes;
    let [at, misses] = [this.#at, 1 << skipBits];
    while (at < end && at < pause) {
      const four = read32(content, at);
      const hash = Math.imul(four, hashFactor) >>> (32 - hashBits);
      const match = seen[hash]! - 1;
      seen[hash] = at + 1;
      if (match >= 0 && at - match <= maxDistance && read32(content, match) === four) {
        at = this.#writeMatch(at, match);
        misses = 1 << skipBits;
      } else {
        at += misses >> skipBits;
        misses += 1;
      }
    }
    this.#at = at;
    return at >= end;
  }

  finish(): Uint8Array {
    this.#writeLiterals(this.#content.length, 0);
    return this.#out.slice(0, this.#written);
  }

  /** @returns where the match ends */
  #writeMatch(at: number, match: number): number {
    const content = this.#content;
    const most = content.length - lastLiterals;
    let end = at + minMatch;
    for (let from = match + minMatch; end < most && content[end] === content[from]; from += 1) end += 1;
    const length = end - at - minMatch;
    this.#writeLiterals(at, length);
    const distance = at - match;
    this.#out[this.#written++] = distance & 0xff;
    this.#out[this.#written++] = distance >> 8;
    if (length >= maxNibble) this.#writeLength(length - maxNibble);
    this.#anchor = end;
    return end;
  }

  /** Writes a token and the literals up to `end`. */
  #writeLiterals(end: number, matchLength: number): void {
    const length = end - this.#anchor;
    this.#out[this.#written++] = (Math.min(length, maxNibble) << 4) | Math.min(matchLength, maxNibble);
    if (length >= maxNibble) this.#writeLength(length - maxNibble);
    copy({ from: this.#content, at: this.#anchor, to: this.#out, toAt: this.#written }, length);
    this.#written += length;
  }

  #writeLength(length: number): void {
    let left = length;
    for (; left >= 255; left -= 255) this.#out[this.#written++] = 255;
    this.#out[this.#written++] = left;
  }
}

class Expander {
  readonly #block: Uint8Array;
  readonly #out: Uint8Array;
  #at = 0;
  #written = 0;

  constructor(block: Uint8Array, maxBytes: number) {
    this.#block = block;
    this.#out = new Uint8Array(maxBytes);
  }

  /** @returns whether all is done */
  work(bytes: number): boolean {
    const pause = this.#at + this.#written + bytes;
    while (this.#at + this.#written < pause) {
      const token = this.#readByte();
      this.#copyLiterals(this.#readLength(token >> 4));
      if (this.#at === this.#block.length) return true;
      const distance = this.#readByte() | (this.#readByte() << 8);
      this.#copyMatch(distance, this.#readLength(token & maxNibble) + minMatch);
    }
    return false;
  }

  finish(): Uint8Array {
    return this.#written === this.#out.length ? this.#out : this.#out.subarray(0, this.#written);
  }

  #readByte(): number {
    const byte = this.#block[this.#at];
    if (byte === undefined) throw damaged();
    this.#at += 1;
    return byte;
  }

  #readLength(nibble: number): number {
    let length = nibble;
    if (nibble < maxNibble) return length;
    for (let byte = 255; byte === 255; length += byte) byte = this.#readByte();
    return length;
  }

  #copyLiterals(length: number): void {
    if (length > this.#block.length - this.#at || length > this.#out.length - this.#written) throw damaged();
    copy({ from: this.#block, at: this.#at, to: this.#out, toAt: this.#written }, length);
    this.#at += length;
    this.#written += length;
  }

  #copyMatch(distance: number, length: number): void {
    if (distance === 0 || distance > this.#written || length > this.#out.length - this.#written) throw damaged();
    const out = this.#out;
    const end = this.#written + length;
    let from = this.#written - distance;
    if (length <= shortCopy) while (this.#written < end) out[this.#written++] = out[from++]!;
    // A match may reach into what it writes itself: what is there is twice as much each time.
    while (this.#written < end) {
      const part = Math.min(end - this.#written, this.#written - from);
      out.copyWithin(this.#written, from, from + part);
      this.#written += part;
    }
  }
}

interface Copy {
  readonly from: Uint8Array;
  readonly at: number;
  readonly to: Uint8Array;
  readonly toAt: number;
}

function copy({ from, at, to, toAt }: Copy, length: number): void {
  if (length > shortCopy) to.set(from.subarray(at, at + length), toAt);
  else for (let index = 0; index < length; index += 1) to[toAt + index] = from[at + index]!;
}

function read32(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

function damaged(): NetworkError {
  return new NetworkError({ code: "protocol", description: "compressed stream is damaged" });
}
