/**
 * Collects bytes in a buffer that grows.
 *
 * Numbers of fixed size are big-endian unless the name says otherwise. A value that does not fit
 * its size is cut to its low bits, as a cast would; the callers' types keep that from happening.
 *
 * @spec 30 §4.3
 */
export class ByteWriter {
  #buffer: Uint8Array;
  #view: DataView;
  #length = 0;

  constructor(capacity = 128) {
    this.#buffer = new Uint8Array(capacity);
    this.#view = new DataView(this.#buffer.buffer);
  }

  /** The number of bytes written so far. */
  get length(): number {
    return this.#length;
  }

  u8(value: number): this {
    this.#reserve(1);
    this.#buffer[this.#length++] = value;
    return this;
  }

  u16(value: number): this {
    this.#reserve(2);
    this.#view.setUint16(this.#length, value);
    this.#length += 2;
    return this;
  }

  u32(value: number): this {
    this.#reserve(4);
    this.#view.setUint32(this.#length, value);
    this.#length += 4;
    return this;
  }

  i32(value: number): this {
    return this.u32(value);
  }

  i64(value: bigint): this {
    this.#reserve(8);
    this.#view.setBigInt64(this.#length, value);
    this.#length += 8;
    return this;
  }

  i32LittleEndian(value: number): this {
    this.#reserve(4);
    this.#view.setInt32(this.#length, value, true);
    this.#length += 4;
    return this;
  }

  i64LittleEndian(value: bigint): this {
    this.#reserve(8);
    this.#view.setBigInt64(this.#length, value, true);
    this.#length += 8;
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

  /** An `i64` with the number of bytes, then the bytes (`LP` of the tuple space). */
  lengthPrefixed(part: Uint8Array): this {
    this.#reserve(8 + part.length);
    return this.u32(Math.floor(part.length / 0x1_0000_0000))
      .u32(part.length)
      .bytes(part);
  }

  /** A copy of what was written; the writer can go on. */
  finish(): Uint8Array {
    return this.#buffer.slice(0, this.#length);
  }

  /** Forgets what was written and keeps the buffer. */
  clear(): void {
    this.#length = 0;
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#buffer.length) return;
    const larger = new Uint8Array(Math.max(needed, 2 * this.#buffer.length));
    larger.set(this.#buffer);
    this.#buffer = larger;
    this.#view = new DataView(larger.buffer);
  }
}
