import { DecodeError } from "../wire/DecodeError.js";
import { readUtf8 } from "../wire/utf8.js";

/** Reads what `BincodeWriter` writes. Bytes that it gives back are views. @spec 61 §2 */
export class BincodeReader {
  position = 0;
  private readonly view: DataView;

  constructor(readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.position === this.bytes.length;
  }

  /** @throws {DecodeError} also for a byte that is neither 0 nor 1 */
  bool(): boolean {
    const byte = this.bytes[this.advance(1)]!;
    if (byte > 1) throw new DecodeError({ code: "badTag", offset: this.position - 1 });
    return byte === 1;
  }

  int32(): number {
    return this.view.getInt32(this.advance(4), true);
  }

  int64(): bigint {
    return this.view.getBigInt64(this.advance(8), true);
  }

  /** The number of what follows; of that each has a byte or more. */
  count(): number {
    const start = this.advance(8);
    const count = this.view.getUint32(start, true);
    if (this.view.getUint32(start + 4, true) !== 0 || count > this.bytes.length - this.position)
      throw new DecodeError({ code: "truncated", offset: start });
    return count;
  }

  counted(): Uint8Array {
    return this.raw(this.count());
  }

  text(): string {
    const length = this.count();
    const start = this.advance(length);
    return readUtf8(this.bytes, start, start + length);
  }

  raw(length: number): Uint8Array {
    const start = this.advance(length);
    return this.bytes.subarray(start, start + length);
  }

  private advance(length: number): number {
    const start = this.position;
    if (length > this.bytes.length - start) throw new DecodeError({ code: "truncated", offset: start });
    this.position = start + length;
    return start;
  }
}
