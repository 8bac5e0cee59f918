import { writeUtf8 } from "./utf8.js";
import { smallZigZag64, zigZag32, zigZag64 } from "./varint.js";

/** Writes protobuf pieces into a buffer of the computed size. A caller that changes the buffer sets both fields. */
export class PieceWriter {
  position = 0;

  constructor(public bytes: Uint8Array) {}

  /** A whole number from 0 to 2^53. */
  varint(value: number): void {
    if (value < 0x80) this.bytes[this.position++] = value;
    else this.longVarint(value);
  }

  private longVarint(value: number): void {
    const bytes = this.bytes;
    let position = this.position;
    let rest = value;
    while (rest > 0x7fffffff) {
      bytes[position++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    while (rest > 0x7f) {
      bytes[position++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    bytes[position++] = rest;
    this.position = position;
  }

  uint64(value: bigint): void {
    let rest = value;
    while (rest > 0x7fn) {
      this.bytes[this.position++] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    this.bytes[this.position++] = Number(rest);
  }

  int32(value: number): void {
    if (value >= 0) this.varint(value);
    else this.uint64(BigInt.asUintN(64, BigInt(value)));
  }

  sint32(value: number): void {
    this.varint(zigZag32(value));
  }

  sint64(value: bigint): void {
    const small = smallZigZag64(value);
    if (small >= 0) this.varint(small);
    else this.uint64(zigZag64(value));
  }

  /** Tag of a field below 16 and the length of what follows. */
  head(field: number, length: number): void {
    const { bytes, position } = this;
    bytes[position] = (field << 3) | 2;
    this.position = position + 1;
    if (length < 0x80) {
      bytes[position + 1] = length;
      this.position = position + 2;
    } else this.longVarint(length);
  }

  /** Tag of any field and the length of what follows. */
  farHead(field: number, length: number): void {
    const tag = (field << 3) | 2;
    if (tag >= 0x80) this.bytes[this.position++] = (tag & 0x7f) | 0x80;
    this.bytes[this.position++] = tag < 0x80 ? tag : tag >>> 7;
    this.varint(length);
  }

  /** A field below 16 with a bool that is true. */
  flag(field: number): void {
    this.bytes[this.position++] = field << 3;
    this.bytes[this.position++] = 1;
  }

  raw(content: Uint8Array): void {
    const length = content.length;
    const { bytes, position } = this;
    if (length > 64) bytes.set(content, position);
    else for (let i = 0; i < length; i += 1) bytes[position + i] = content[i]!;
    this.position = position + length;
  }

  utf8(text: string): void {
    this.position = writeUtf8(this.bytes, this.position, text);
  }
}
