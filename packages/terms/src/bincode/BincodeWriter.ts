import { checkTermSize } from "../model/TermLimitError.js";
import { utf8Size, writeUtf8 } from "../wire/utf8.js";

const usualBuffer = 256;

/** A larger buffer is not kept for the next message. */
const largestKeptBuffer = 1 << 20;

/** Writes the fixed-width numbers and counted bytes of bincode's default configuration. Throws {@link TermLimitError}. @spec 61 §2 */
export class BincodeWriter {
  private buffer: Uint8Array;
  private view: DataView;
  private length = 0;

  /** @param expectedSizeBytes where it is exact the bytes are not copied in the end */
  constructor(private readonly expectedSizeBytes = usualBuffer) {
    this.buffer = new Uint8Array(expectedSizeBytes);
    this.view = new DataView(this.buffer.buffer);
  }

  /** The bytes so far; the writer must not be used afterwards. */
  finish(): Uint8Array {
    return this.length === this.buffer.length ? this.buffer : this.copy();
  }

  /** A view of the bytes so far, until something else is written. */
  get written(): Uint8Array {
    return this.buffer.subarray(0, this.length);
  }

  /** A copy of the bytes so far. */
  copy(): Uint8Array {
    return this.buffer.slice(0, this.length);
  }

  /** Begins another message in the same buffer. */
  restart(): void {
    this.length = 0;
    if (this.buffer.length > largestKeptBuffer) this.replaceBuffer(new Uint8Array(this.expectedSizeBytes));
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
    this.view.setUint32(this.length + 4, Math.floor(value / 0x1_0000_0000), true);
    this.length += 8;
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
    this.reserve(bytes.length);
    this.buffer.set(bytes, this.length);
    this.length += bytes.length;
  }

  private reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.buffer.length) return;
    checkTermSize(needed);
    const larger = new Uint8Array(Math.max(needed, this.buffer.length * 2));
    larger.set(this.buffer);
    this.replaceBuffer(larger);
  }

  private replaceBuffer(buffer: Uint8Array): void {
    this.buffer = buffer;
    this.view = new DataView(buffer.buffer);
  }
}
