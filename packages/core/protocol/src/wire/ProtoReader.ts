import type { EventTable } from "../event/EventTable.js";
import { WireError } from "./WireError.js";

/** Most list elements and sub-messages in one decoded message; a block of the network has about 10,000. */
const maximumItems = 1_000_000;

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads protobuf fields from bytes, in the way rnode's decoder takes them.
 *
 * It also finds out, at almost no cost, whether the bytes are the ones that the encoder would write
 * ({@link canonical}): then hashes can be taken over the received bytes as they are.
 *
 * @spec 40 §1.1, §1.2
 */
export class ProtoReader {
  readonly bytes: Uint8Array;
  offset = 0;
  /** False once something was read that an encoder of this dialect writes differently, or not at all. */
  canonical = true;
  /** The events that were read, for callers that read many. */
  events: EventTable | undefined = undefined;
  /** Whether the bytes were written by our encoder, and event logs are decoded only at their first use. */
  defersLogs = false;
  private itemsLeft: number;

  constructor(bytes: Uint8Array, itemLimit: number = maximumItems) {
    // A Buffer's subarray and slice differ from a Uint8Array's; nothing of that may leak into decoded values.
    this.bytes =
      bytes.constructor === Uint8Array ? bytes : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.itemsLeft = itemLimit;
  }

  /**
   * The next field's tag (number · 8 + wire type).
   *
   * @param last     the tag before it in this message, 0 at its start
   * @param repeated bit n is set when field n may occur several times
   */
  tag(last: number, repeated: number): number {
    const start = this.offset;
    const tag = this.varint32() >>> 0;
    if (tag >>> 3 === 0) throw new WireError({ code: "invalidTag", offset: start, tag });
    if (tag < last || (tag === last && (tag >= 256 || ((repeated >>> (tag >>> 3)) & 1) === 0))) this.canonical = false;
    return tag;
  }

  /** A length-delimited field's end, after its length was read. Counts as one item. */
  end(limit: number): number {
    const length = this.length(limit);
    if (this.itemsLeft-- <= 0) {
      throw new WireError({ code: "tooManyItems", offset: this.offset, limit: maximumItems });
    }
    return this.offset + length;
  }

  /** A bytes field that must be left out when empty. */
  bytesField(limit: number): Uint8Array {
    const length = this.length(limit);
    if (length === 0) this.canonical = false;
    return this.take(length);
  }

  /** An element of a repeated bytes field: an empty one is written. */
  bytesElement(limit: number): Uint8Array {
    const end = this.end(limit);
    return this.take(end - this.offset);
  }

  textField(limit: number): string {
    const length = this.length(limit);
    if (length === 0) this.canonical = false;
    const start = this.offset;
    try {
      return strictUtf8.decode(this.take(length));
    } catch (cause) {
      throw new WireError({ code: "invalidText", offset: start }, { cause });
    }
  }

  boolField(): boolean {
    if (this.bytes[this.offset] === 1) {
      this.offset += 1;
      return true;
    }
    this.canonical = false;
    return this.varint64() !== 0n;
  }

  int32Field(): number {
    const start = this.offset;
    const value = this.varint32();
    if (value === 0) this.canonical = false;
    else if (this.offset - start !== int32Size(value)) this.canonical = false;
    return value;
  }

  /** An int64 or uint64 field, as a signed 64-bit number as in rnode. */
  int64Field(): bigint {
    const value = this.varint64();
    if (value === 0n) this.canonical = false;
    return value;
  }

  /** Skips a field that this message does not have; rnode drops such. */
  skip(tag: number, limit: number): void {
    this.canonical = false;
    switch (tag & 7) {
      case 0:
        this.varint64();
        return;
      case 1:
        this.advance(8, limit);
        return;
      case 2:
        this.advance(this.length(limit), limit);
        return;
      case 5:
        this.advance(4, limit);
        return;
      case 3:
        this.skipGroup(tag, limit);
        return;
      default:
        throw new WireError({ code: "invalidTag", offset: this.offset, tag });
    }
  }

  /** Checks that a sub-message's fields ended exactly where the message ends. */
  close(end: number): void {
    if (this.offset !== end) throw new WireError({ code: "truncated", offset: end });
  }

  private skipGroup(tag: number, limit: number): void {
    const open: number[] = [tag >>> 3];
    while (open.length > 0) {
      if (this.offset >= limit) throw new WireError({ code: "truncated", offset: limit });
      const inner = this.varint32() >>> 0;
      const field = inner >>> 3;
      if (field === 0) throw new WireError({ code: "invalidTag", offset: this.offset, tag: inner });
      if ((inner & 7) === 3) {
        // rnode's decoder refuses deeper nesting too.
        if (open.length >= 100) throw new WireError({ code: "invalidTag", offset: this.offset, tag: inner });
        open.push(field);
      } else if ((inner & 7) === 4) {
        if (open.pop() !== field) throw new WireError({ code: "invalidTag", offset: this.offset, tag: inner });
      } else this.skip(inner, limit);
    }
  }

  private advance(count: number, limit: number): void {
    if (this.offset + count > limit) throw new WireError({ code: "truncated", offset: limit });
    this.offset += count;
  }

  private take(length: number): Uint8Array {
    const start = this.offset;
    this.offset = start + length;
    return this.bytes.subarray(start, start + length);
  }

  private length(limit: number): number {
    const start = this.offset;
    const length = this.varint32();
    if (length < 0 || this.offset + length > limit) throw new WireError({ code: "truncated", offset: start });
    return length;
  }

  /** The low 32 bits of a varint, signed. */
  private varint32(): number {
    const bytes = this.bytes;
    let byte = this.next();
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let shift = 7;
    for (; shift < 35; shift += 7) {
      byte = this.next();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        if (byte === 0 || (shift === 28 && byte > 0x0f)) this.canonical = false;
        return value;
      }
    }
    for (; shift < 70; shift += 7) {
      byte = this.next();
      if (byte < 0x80) {
        // Only a negative number is longer than five bytes, and then its upper half is all ones.
        if (shift !== 63 || byte !== 1 || value >= 0 || !signExtended(bytes, this.offset)) this.canonical = false;
        return value;
      }
    }
    throw new WireError({ code: "varintTooLong", offset: this.offset });
  }

  private varint64(): bigint {
    let low = 0;
    let shift = 0;
    for (; shift < 28; shift += 7) {
      const byte = this.next();
      low |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        if (byte === 0 && shift > 0) this.canonical = false;
        return BigInt(low);
      }
    }
    return this.varint64Tail(low);
  }

  private varint64Tail(low: number): bigint {
    let value = BigInt(low);
    for (let shift = 28n; shift < 70n; shift += 7n) {
      const byte = this.next();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) {
        if (byte === 0 || (shift === 63n && byte !== 1)) this.canonical = false;
        return BigInt.asIntN(64, value);
      }
    }
    throw new WireError({ code: "varintTooLong", offset: this.offset });
  }

  private next(): number {
    const byte = this.bytes[this.offset];
    if (byte === undefined) throw new WireError({ code: "truncated", offset: this.offset });
    this.offset += 1;
    return byte;
  }
}

function int32Size(value: number): number {
  if (value < 0) return 10;
  if (value < 0x80) return 1;
  if (value < 0x4000) return 2;
  if (value < 0x200000) return 3;
  return value < 0x10000000 ? 4 : 5;
}

/** Whether the ten bytes before `end` hold a 32-bit number extended by ones. */
function signExtended(bytes: Uint8Array, end: number): boolean {
  for (let at = end - 5; at < end - 1; at += 1) if (bytes[at] !== 0xff) return false;
  return ((bytes[end - 6] ?? 0) & 0x78) === 0x78;
}
