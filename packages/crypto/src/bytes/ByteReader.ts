import { BytesError } from "./BytesError.js";

/**
 * Reads numbers and runs of bytes one after the other and never beyond the end.
 *
 * Numbers of fixed size are big-endian unless the name says otherwise.
 *
 * @spec 30 §4.3
 */
export class ByteReader {
  readonly #data: Uint8Array;
  readonly #view: DataView;
  #offset = 0;

  constructor(data: Uint8Array) {
    this.#data = data;
    this.#view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  }

  get offset(): number {
    return this.#offset;
  }

  /** The number of bytes that are not read yet. */
  get left(): number {
    return this.#data.length - this.#offset;
  }

  u8(): number {
    return this.#data[this.#advance(1)]!;
  }

  u16(): number {
    return this.#view.getUint16(this.#advance(2));
  }

  u32(): number {
    return this.#view.getUint32(this.#advance(4));
  }

  i32(): number {
    return this.#view.getInt32(this.#advance(4));
  }

  i64(): bigint {
    return this.#view.getBigInt64(this.#advance(8));
  }

  i32LittleEndian(): number {
    return this.#view.getInt32(this.#advance(4), true);
  }

  i64LittleEndian(): bigint {
    return this.#view.getBigInt64(this.#advance(8), true);
  }

  /** A protobuf varint that must be a whole number from 0 to 2^53 - 1. */
  varint(): number {
    const start = this.#offset;
    let value = 0;
    for (let scale = 1, length = 0; length < 8; length++, scale *= 0x80) {
      const byte = this.u8();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        if (value > Number.MAX_SAFE_INTEGER) break;
        return value;
      }
    }
    throw new BytesError({ code: "numberTooLarge", offset: start });
  }

  /** A protobuf varint of 64 bits, read as a signed number. */
  varint64(): bigint {
    const start = this.#offset;
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.u8();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
    throw new BytesError({ code: "varintTooLong", offset: start });
  }

  /** The next bytes as a view of the data, not a copy. */
  bytes(length: number): Uint8Array {
    const start = this.#advance(length);
    return this.#data.subarray(start, start + length);
  }

  /** An `i64` with the number of bytes, then these bytes as a view of the data. */
  lengthPrefixed(): Uint8Array {
    const start = this.#offset;
    const high = this.u32();
    const low = this.u32();
    if (high !== 0) throw new BytesError({ code: "numberTooLarge", offset: start });
    return this.bytes(low);
  }

  /** @throws {BytesError} `trailingData` where something is left */
  expectEnd(): void {
    if (this.left !== 0) {
      throw new BytesError({ code: "trailingData", offset: this.#offset, length: this.#data.length });
    }
  }

  #advance(wanted: number): number {
    const offset = this.#offset;
    if (!(wanted >= 0 && wanted <= this.#data.length - offset)) {
      throw new BytesError({ code: "endOfData", offset, wanted, length: this.#data.length });
    }
    this.#offset = offset + wanted;
    return offset;
  }
}
