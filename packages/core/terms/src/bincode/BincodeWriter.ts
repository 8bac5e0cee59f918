import { checkTermSize } from "../model/TermLimitError.js";
import { utf8Size, writeUtf8 } from "../wire/utf8.js";

const usualBuffer = 256;

const maxCopiedByHand = 64;
const largestSpare = 1 << 20;

/** Writes the fixed-width numbers and counted bytes of bincode's default configuration. Throws {@link TermLimitError}. @spec 61 §2 */
export class BincodeWriter {
  private readonly first: Uint8Array;
  private readonly firstView: DataView;
  private buffer: Uint8Array;
  private view: DataView;
  private length = 0;
  /** The need of a message beyond the first room, for the next one that exceeds it. */
  private spare: Uint8Array | undefined = undefined;

  /** @param expected the first room, or its size; if that is exact the bytes are not copied in the end */
  constructor(expected: number | Uint8Array = usualBuffer) {
    const first = typeof expected === "number" ? new Uint8Array(expected) : expected;
    this.first = first;
    this.firstView = new DataView(first.buffer, first.byteOffset, first.length);
    this.buffer = first;
    this.view = this.firstView;
  }

  /** The bytes so far; the writer must not be used afterwards. */
  finish(): Uint8Array {
    return this.length === this.buffer.length ? this.buffer : this.copy();
  }

  /** Whether all bytes so far are in the room that was given. */
  get isInFirstRoom(): boolean {
    return this.buffer === this.first;
  }

  /** A view of the bytes so far, until something else is written. */
  get written(): Uint8Array {
    return this.buffer.subarray(0, this.length);
  }

  /** A copy of the bytes so far, from a position on. */
  copy(from = 0): Uint8Array {
    return this.buffer.slice(from, this.length);
  }

  /** Number of bytes so far. */
  get position(): number {
    return this.length;
  }

  /** Begins another message, in the room that was there first. */
  restart(): void {
    this.length = 0;
    this.buffer = this.first;
    this.view = this.firstView;
  }

  bool(value: boolean): void {
    this.reserve(1);
    this.buffer[this.length++] = value ? 1 : 0;
  }

  /** 32 bits, signed or not. */
  int32(value: number): void {
    this.reserve(4);
    this.view.setInt32(this.length, value, true);
    this.length += 4;
  }

  int64(value: bigint): void {
    this.reserve(8);
    this.view.setBigInt64(this.length, value, true);
    this.length += 8;
  }

  /** The number of what follows: 64 bits. */
  count(value: number): void {
    this.reserve(8);
    this.view.setUint32(this.length, value, true);
    this.view.setUint32(this.length + 4, 0, true);
    this.length += 8;
  }

  /** As many numbers of 64 bits, all of them 0: the counts of empty lists. */
  zeros(counts: number): void {
    this.reserve(8 * counts);
    const { view } = this;
    const end = this.length + 8 * counts;
    // The double of which all bits are 0.
    for (let at = this.length; at < end; at += 8) view.setFloat64(at, 0, true);
    this.length = end;
  }

  /** Bytes with their number in front: a text, too. */
  counted(bytes: Uint8Array): void {
    this.count(bytes.length);
    this.raw(bytes);
  }

  /** A text in UTF-8, with the number of its bytes in front. */
  text(text: string): void {
    const size = utf8Size(text);
    this.count(size);
    this.reserve(size);
    this.length = writeUtf8(this.buffer, this.length, text);
  }

  /** Writes something with the number of its bytes in front. */
  countedBy(write: () => void): void {
    this.count(0);
    const begin = this.length;
    write();
    this.view.setUint32(begin - 8, this.length - begin, true);
  }

  raw(bytes: Uint8Array): void {
    const count = bytes.length;
    this.reserve(count);
    const { buffer, length } = this;
    if (count > maxCopiedByHand) buffer.set(bytes, length);
    else for (let i = 0; i < count; i += 1) buffer[length + i] = bytes[i]!;
    this.length = length + count;
  }

  private reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.buffer.length) return;
    checkTermSize(needed);
    const larger = this.larger(needed);
    larger.set(this.buffer.subarray(0, this.length));
    this.buffer = larger;
    this.view = new DataView(larger.buffer);
  }

  private larger(needed: number): Uint8Array {
    const { spare } = this;
    if (spare !== undefined && spare.length >= needed) return spare;
    const larger = new Uint8Array(Math.max(needed, this.buffer.length * 2));
    if (larger.length <= largestSpare) this.spare = larger;
    return larger;
  }
}
