const utf8 = new TextEncoder();
const smallestBuffer = 256;

/**
 * Writes protobuf fields in rnode's canonical form: default values are left out, numbers are shortest.
 *
 * A sub-message is written between `begin` and `finish…`; its length is put in front of it when it is known.
 *
 * @spec 40 (opening), §1.1
 */
export class ProtoWriter {
  private buffer: Uint8Array;
  private length = 0;

  constructor(expectedSizeBytes = smallestBuffer) {
    this.buffer = new Uint8Array(Math.max(expectedSizeBytes, smallestBuffer));
  }

  /** The bytes so far; the writer must not be used afterwards. */
  finish(): Uint8Array {
    return this.buffer.length - this.length < 64
      ? this.buffer.subarray(0, this.length)
      : this.buffer.slice(0, this.length);
  }

  get sizeBytes(): number {
    return this.length;
  }

  /** Opens a sub-message with this (one-byte) tag; the result belongs to the matching `finish…`. */
  begin(tag: number): number {
    this.reserve(2);
    this.buffer[this.length] = tag;
    this.length += 2;
    return this.length;
  }

  /** Closes a sub-message that is always written: an element of a list, or a member of a oneof. */
  finishMember(start: number): void {
    const size = this.length - start;
    if (size < 0x80) {
      this.buffer[start - 1] = size;
      return;
    }
    const extra = varintSize(size) - 1;
    this.reserve(extra);
    this.buffer.copyWithin(start + extra, start, this.length);
    this.length = start - 1;
    this.varint32(size);
    this.length += size;
  }

  /** Closes a singular sub-message, which is left out when nothing was written into it. */
  finishSingular(start: number): void {
    if (this.length === start) this.length = start - 2;
    else this.finishMember(start);
  }

  bytesField(tag: number, value: Uint8Array): void {
    if (value.length > 0) this.bytesElement(tag, value);
  }

  /** An element of a repeated bytes field: written also when empty. */
  bytesElement(tag: number, value: Uint8Array): void {
    const size = value.length;
    this.reserve(size + 6);
    this.buffer[this.length++] = tag;
    this.varint32(size);
    this.buffer.set(value, this.length);
    this.length += size;
  }

  textField(tag: number, value: string): void {
    if (value !== "") this.bytesElement(tag, utf8.encode(value));
  }

  boolField(tag: number, value: boolean): void {
    if (!value) return;
    this.reserve(2);
    this.buffer[this.length++] = tag;
    this.buffer[this.length++] = 1;
  }

  int32Field(tag: number, value: number): void {
    if (value === 0) return;
    this.reserve(11);
    this.buffer[this.length++] = tag;
    if (value > 0) this.varint32(value);
    else this.varint64(BigInt.asUintN(64, BigInt(value)));
  }

  /** An int64 field, or a uint64 one given as a signed number. */
  int64Field(tag: number, value: bigint): void {
    if (value === 0n) return;
    this.reserve(11);
    this.buffer[this.length++] = tag;
    if (value > 0n && value <= 0x7fffffffn) this.varint32(Number(value));
    else this.varint64(BigInt.asUintN(64, value));
  }

  /** Bytes that are encoded already. */
  raw(value: Uint8Array): void {
    this.reserve(value.length);
    this.buffer.set(value, this.length);
    this.length += value.length;
  }

  private varint32(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.buffer[this.length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.buffer[this.length++] = rest;
  }

  private varint64(value: bigint): void {
    let rest = value;
    while (rest >= 0x80n) {
      this.buffer[this.length++] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    this.buffer[this.length++] = Number(rest);
  }

  private reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.buffer.length) return;
    const larger = new Uint8Array(Math.max(needed, this.buffer.length * 2));
    larger.set(this.buffer.subarray(0, this.length));
    this.buffer = larger;
  }
}

function varintSize(value: number): number {
  if (value < 0x80) return 1;
  if (value < 0x4000) return 2;
  if (value < 0x200000) return 3;
  return value < 0x10000000 ? 4 : 5;
}
