import { badForm } from "./StateProofError.js";

/** The states that a block's hash covers. */
export interface BlockStateHashes {
  readonly preState: Uint8Array;
  readonly postState: Uint8Array;
  readonly blockNumber: bigint;
}

const hashLength = 32;

/**
 * Reads the states out of the bytes that a block's hash is made of: those of its header, those of its body, and more.
 *
 * The bytes do not mark the end of the header, so every field must be at its place. A parent always has 32 bytes and
 * the body's first part never has, hence only one reading is possible. The parts behind the states, which differ
 * between dialects, are ignored.
 *
 * @spec 30 §10.3, 40 §1.3
 * @throws {StateProofError} `form`
 */
export function blockStates(content: Uint8Array): BlockStateHashes {
  const reader = new ContentReader(content);
  while (reader.next === 0x0a && content[reader.offset + 1] === hashLength) reader.hash(0x0a);
  if (reader.next === 0x28) reader.number(0x28);
  if (reader.next === 0x30) reader.number(0x30);
  if (reader.next === 0x3a) reader.offset = reader.message(0x3a);
  const end = reader.message(0x0a);
  const preState = reader.hash(0x0a);
  const postState = reader.hash(0x12);
  while (reader.offset < end && reader.next === 0x1a) reader.offset = reader.message(0x1a);
  const blockNumber = reader.offset < end ? reader.number(0x20) : 0n;
  if (reader.offset !== end) throw reader.bad();
  return { preState, postState, blockNumber };
}

class ContentReader {
  offset = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get next(): number | undefined {
    return this.#bytes[this.offset];
  }

  hash(tag: number): Uint8Array {
    const start = this.offset + 2;
    if (this.message(tag) !== start + hashLength) throw this.bad();
    this.offset = start + hashLength;
    return this.#bytes.subarray(start, start + hashLength);
  }

  /** Goes into a part with a length. @returns where it ends */
  message(tag: number): number {
    const length = Number(this.number(tag));
    if (length > this.#bytes.length - this.offset) throw this.bad();
    return this.offset + length;
  }

  number(tag: number): bigint {
    if (this.next !== tag) throw this.bad();
    this.offset += 1;
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.next;
      if (byte === undefined) throw this.bad();
      this.offset += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
    throw this.bad();
  }

  bad(): Error {
    return badForm("block.content", `is not that of a block at byte ${this.offset}`);
  }
}
