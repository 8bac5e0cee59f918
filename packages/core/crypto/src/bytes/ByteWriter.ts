/** Collects bytes in a buffer that grows: the small protobuf messages that seeds and addresses are made from. */
export class ByteWriter {
  #buffer: Uint8Array;
  #length = 0;

  constructor(capacity = 128) {
    this.#buffer = new Uint8Array(capacity);
  }

  u8(value: number): this {
    this.#reserve(1);
    this.#buffer[this.#length++] = value;
    return this;
  }

  /** A protobuf varint of a whole number from 0 to 2^53 - 1. */
  varint(value: number): this {
    this.#reserve(8);
    let rest = value;
    while (rest >= 0x80) {
      this.#buffer[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#buffer[this.#length++] = rest;
    return this;
  }

  /** A protobuf varint of 64 bits; a negative number takes 10 bytes. */
  varint64(value: bigint): this {
    this.#reserve(10);
    let rest = BigInt.asUintN(64, value);
    while (rest >= 0x80n) {
      this.#buffer[this.#length++] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    this.#buffer[this.#length++] = Number(rest);
    return this;
  }

  bytes(part: Uint8Array): this {
    this.#reserve(part.length);
    this.#buffer.set(part, this.#length);
    this.#length += part.length;
    return this;
  }

  /** A copy of what was written; the writer can go on. */
  finish(): Uint8Array {
    return this.#buffer.slice(0, this.#length);
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#buffer.length) return;
    const larger = new Uint8Array(Math.max(needed, 2 * this.#buffer.length));
    larger.set(this.#buffer);
    this.#buffer = larger;
  }
}
