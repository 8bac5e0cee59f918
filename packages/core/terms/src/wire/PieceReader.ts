import { DecodeError } from "./DecodeError.js";
import type { DecodeLimits } from "./DecodeLimits.js";
import { readUtf8 } from "./utf8.js";

/**
 * Reads protobuf pieces within a window of a buffer. The window is narrowed by {@link enter} for an embedded
 * message and restored by {@link leave}.
 *
 * @spec 20 §10
 */
export class PieceReader {
  position = 0;
  end: number;
  private nodesLeft: number;
  private mergeBytesLeft: number;
  /** The 64-bit integer that was read last: 32 bits each. */
  private low = 0;
  private high = 0;

  constructor(
    public bytes: Uint8Array,
    private readonly limits: DecodeLimits,
  ) {
    if (bytes.length > limits.maxSizeBytes)
      throw new DecodeError({ code: "tooLarge", sizeBytes: bytes.length, limitBytes: limits.maxSizeBytes });
    this.end = bytes.length;
    this.nodesLeft = limits.maxNodes;
    this.mergeBytesLeft = limits.maxSizeBytes;
  }

  /** Tag of the next field, or 0 at the end of the message. */
  tag(): number {
    if (this.position >= this.end) return 0;
    const start = this.position;
    const tag = this.uint32();
    if (tag >>> 3 === 0) throw new DecodeError({ code: "badTag", offset: start });
    return tag;
  }

  /** Low 32 bits of a varint. */
  uint32(): number {
    if (this.position < this.end) {
      const first = this.bytes[this.position]!;
      if (first < 0x80) {
        this.position += 1;
        return first;
      }
    }
    let value = 0;
    const start = this.position;
    for (let i = 0; i < 10; i += 1) {
      const byte = this.byte(start);
      if (i < 5) value |= (byte & 0x7f) << (7 * i);
      if (byte < 0x80) return value >>> 0;
    }
    throw new DecodeError({ code: "badVarint", offset: start });
  }

  int32(): number {
    return this.uint32() | 0;
  }

  sint32(): number {
    const value = this.uint32();
    return (value >>> 1) ^ -(value & 1);
  }

  bool(): boolean {
    if (this.position < this.end && this.bytes[this.position]! < 0x80) return this.bytes[this.position++] !== 0;
    this.varint64();
    return (this.low | this.high) !== 0;
  }

  sint64(): bigint {
    if (this.position < this.end && this.bytes[this.position]! < 0x80) return BigInt(this.sint32());
    this.varint64();
    const sign = -(this.low & 1);
    return int64Of((this.high >>> 1) ^ sign, ((this.low >>> 1) | (this.high << 31)) ^ sign);
  }

  int64(): bigint {
    this.varint64();
    return int64Of(this.high, this.low);
  }

  /** Eight bytes, the lowest first, unsigned. */
  fixed64(): bigint {
    const start = this.position;
    this.advance(8, start);
    let value = 0n;
    for (let i = 7; i >= 0; i -= 1) value = (value << 8n) | BigInt(this.bytes[start + i]!);
    return value;
  }

  /**
   * Reads a varint into the halves of a 64-bit integer. They are put together at one place and without arithmetic:
   * of bigints that come from two branches, the compiler of Node 20 makes code at times which it cannot represent, and
   * ends the process.
   */
  private varint64(): void {
    const start = this.position;
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.byte(start);
      const bits = byte & 0x7f;
      if (shift < 32) low |= bits << shift;
      if (shift === 28) high = bits >>> 4;
      else if (shift > 28) high |= bits << (shift - 32);
      if (byte >= 0x80) continue;
      this.low = low;
      this.high = high;
      return;
    }
    throw new DecodeError({ code: "badVarint", offset: start });
  }

  private byte(start: number): number {
    if (this.position >= this.end) throw new DecodeError({ code: "truncated", offset: start });
    return this.bytes[this.position++]!;
  }

  /** Reads a length and gives back where its content ends. */
  contentEnd(): number {
    const start = this.position;
    const end = this.uint32() + this.position;
    if (end > this.end) throw new DecodeError({ code: "truncated", offset: start });
    return end;
  }

  /** A copy of the content of a `bytes` field. */
  content(): Uint8Array {
    const end = this.contentEnd();
    const content = this.bytes.slice(this.position, end);
    this.position = end;
    return content;
  }

  text(): string {
    const end = this.contentEnd();
    const start = this.position;
    this.position = end;
    return readUtf8(this.bytes, start, end);
  }

  /** Narrows the window to the message that starts with its length here; give the result to {@link leave}. */
  enter(): number {
    this.countNode();
    const outer = this.end;
    this.end = this.contentEnd();
    return outer;
  }

  leave(outer: number): void {
    this.position = this.end;
    this.end = outer;
  }

  countNode(): void {
    this.nodesLeft -= 1;
    if (this.nodesLeft < 0) throw new DecodeError({ code: "tooManyNodes", limit: this.limits.maxNodes });
  }

  /** Counts the bytes that are copied to merge occurrences of one field. */
  countMerged(sizeBytes: number): void {
    this.mergeBytesLeft -= sizeBytes;
    if (this.mergeBytesLeft < 0)
      throw new DecodeError({ code: "tooLarge", sizeBytes, limitBytes: this.limits.maxSizeBytes });
  }

  /** Skips the field with the tag that was just read. */
  skip(tag: number): void {
    const start = this.position;
    switch (tag & 7) {
      case 0:
        this.uint32();
        return;
      case 1:
        this.advance(8, start);
        return;
      case 2:
        this.position = this.contentEnd();
        return;
      case 3:
        this.skipGroup(tag);
        return;
      case 5:
        this.advance(4, start);
        return;
      default:
        throw new DecodeError({ code: "badTag", offset: start });
    }
  }

  private advance(count: number, start: number): void {
    if (this.position + count > this.end) throw new DecodeError({ code: "truncated", offset: start });
    this.position += count;
  }

  private skipGroup(opening: number): void {
    const open = [opening >>> 3];
    while (open.length > 0) {
      const start = this.position;
      const tag = this.tag();
      if (tag === 0) throw new DecodeError({ code: "truncated", offset: start });
      if ((tag & 7) === 3) open.push(tag >>> 3);
      else if ((tag & 7) !== 4) this.skip(tag);
      else if (open.pop() !== tag >>> 3) throw new DecodeError({ code: "badTag", offset: start });
    }
  }
}

const halves = new DataView(new ArrayBuffer(8));

function int64Of(high: number, low: number): bigint {
  halves.setInt32(0, high);
  halves.setInt32(4, low);
  return halves.getBigInt64(0);
}
