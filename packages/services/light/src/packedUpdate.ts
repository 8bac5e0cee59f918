import { concatBytes, emptyBytes } from "@vedette/crypto";
import { type Block, encodeBody, encodeHeader } from "@vedette/protocol";
import { LightError } from "./LightError.js";
import { type LightUpdate, maxUpdateBlocks, maxUpdateBytes } from "./LightUpdate.js";

/** A shorter repetition takes as much as its bytes. */
const leastCopy = 6;
const hashBits = 16;
const targetBytes = 32;

/** The parts of a block that its hash covers: every node that has the block has the same bytes. @spec 70 §4.6 */
export function knownBytes(block: Block): Uint8Array {
  return concatBytes(encodeHeader(block), encodeBody(block), block.sender);
}

/**
 * Packs an update: what occurs in the trusted block or earlier in the update is written as a reference. Blocks repeat
 * bonds, hashes of parents, states and keys, and hashes cannot be compressed in any other way.
 *
 * @param known bytes that the reader has too: {@link knownBytes} of the trusted block
 * @throws {LightError} `tooLarge`
 * @spec 70 §4.6
 * @cost a pass over the bytes, about 20 MB/s
 */
export function packUpdate({ target, blocks }: LightUpdate, known: Uint8Array): Uint8Array {
  const content = new GrowingBytes(known);
  for (const part of [target, ...blocks.flatMap((block) => [varint(block.length), block])]) content.append(part);
  const whole = content.behind(0);
  const packed = new GrowingBytes(emptyBytes);
  const places = new Int32Array(1 << hashBits).fill(-1);
  let from = known.length;
  for (let at = 0; at + leastCopy <= whole.length; ) {
    const slot = slotOf(whole, at);
    const before = places[slot]!;
    places[slot] = at;
    const length = at < known.length || before < 0 ? 0 : equalLength(whole, before, at);
    if (length < leastCopy) {
      at += 1;
      continue;
    }
    for (const part of [varint(at - from), whole.subarray(from, at), varint(length), varint(at - before)])
      packed.append(part);
    for (let next = at + 1; next < at + length && next + leastCopy <= whole.length; next += 1)
      places[slotOf(whole, next)] = next;
    at += length;
    from = at;
  }
  packed.append(varint(whole.length - from));
  packed.append(whole.subarray(from));
  return packed.behind(0);
}

/**
 * Unpacks an update from any source.
 *
 * @param known as for {@link packUpdate}
 * @throws {LightError} `form`, `tooLarge`
 * @spec 70 §4.6
 */
export function unpackUpdate(packed: Uint8Array, known: Uint8Array): LightUpdate {
  const reader = new PackedReader(packed);
  const whole = new GrowingBytes(known);
  while (!reader.isAtEnd) {
    whole.append(reader.take(reader.varint()));
    if (reader.isAtEnd) break;
    whole.repeat(reader.varint(), reader.varint());
  }
  const content = new PackedReader(whole.behind(known.length));
  const target = content.take(targetBytes);
  const blocks: Uint8Array[] = [];
  while (!content.isAtEnd) {
    if (blocks.length === maxUpdateBlocks)
      throw new LightError({ code: "tooLarge", what: "blocks", limit: maxUpdateBlocks });
    blocks.push(content.take(content.varint()));
  }
  return { target, blocks };
}

function slotOf(bytes: Uint8Array, at: number): number {
  const low = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
  const high = bytes[at + 4]! | (bytes[at + 5]! << 8);
  return (Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b)) >>> (32 - hashBits);
}

function equalLength(bytes: Uint8Array, before: number, at: number): number {
  let length = 0;
  while (at + length < bytes.length && bytes[before + length] === bytes[at + length]) length += 1;
  return length;
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let left = value;
  for (; left > 0x7f; left = Math.floor(left / 128)) bytes.push((left % 128) | 0x80);
  bytes.push(left);
  return Uint8Array.from(bytes);
}

class PackedReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** @throws {LightError} `form` */
  take(length: number): Uint8Array {
    if (length > this.#bytes.length - this.#at) throw badForm();
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  /** @throws {LightError} `form` */
  varint(): number {
    let value = 0;
    for (let scale = 1; scale <= 128 ** 3; scale *= 128) {
      const [byte] = this.take(1) as unknown as [number];
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    throw badForm();
  }
}

/** Bytes that grow up to the largest update. */
class GrowingBytes {
  #bytes: Uint8Array;
  #length: number;
  readonly #limit: number;

  constructor(first: Uint8Array) {
    this.#bytes = Uint8Array.from(first);
    this.#length = first.length;
    this.#limit = first.length + maxUpdateBytes + targetBytes + 5 * maxUpdateBlocks;
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Appends what lies so far back; the two may overlap. @throws {LightError} `form`, `tooLarge` */
  repeat(length: number, distance: number): void {
    if (distance === 0 || distance > this.#length) throw badForm();
    this.#reserve(length);
    for (let left = length; left > 0; left -= 1, this.#length += 1)
      this.#bytes[this.#length] = this.#bytes[this.#length - distance]!;
  }

  behind(start: number): Uint8Array {
    return this.#bytes.subarray(start, this.#length);
  }

  #reserve(length: number): void {
    const needed = this.#length + length;
    if (needed > this.#limit) throw new LightError({ code: "tooLarge", what: "bytes", limit: maxUpdateBytes });
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.min(this.#limit, Math.max(needed, 2 * this.#bytes.length)));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

function badForm(): LightError {
  return new LightError({ code: "form", field: "packed update", problem: "is not packed by the rules" });
}
