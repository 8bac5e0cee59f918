import { badForm } from "./StateProofError.js";

/** Reads the bits of a leaf, most significant first. @spec 30 §4.3 */
export class LeafReader {
  readonly #bytes: Uint8Array;
  #bits = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  bit(): boolean {
    const byte = this.#bytes[this.#bits >>> 3];
    if (byte === undefined) throw this.#cutOff();
    const value = (byte & (0x80 >>> (this.#bits & 7))) !== 0;
    this.#bits += 1;
    return value;
  }

  u8(): number {
    if (this.#bits + 8 > this.#bytes.length * 8) throw this.#cutOff();
    const index = this.#bits >>> 3;
    const shift = this.#bits & 7;
    this.#bits += 8;
    const high = this.#bytes[index]! << shift;
    return shift === 0 ? high : (high | (this.#bytes[index + 1]! >>> (8 - shift))) & 0xff;
  }

  /** Reads a count of items that each take at least this many bytes. */
  count(itemBytes: number): number {
    const value = this.u8() * 2 ** 24 + ((this.u8() << 16) | (this.u8() << 8) | this.u8());
    if (value * itemBytes > this.remainingBytes) throw badForm("leaf", `has no room for ${value} items`);
    return value;
  }

  /** Bytes behind their length of 8 bytes. */
  prefixed(): Uint8Array {
    const high = this.count(0);
    const low = this.count(1);
    if (high !== 0) throw badForm("leaf", "has no room for a part of it");
    return this.raw(low);
  }

  raw(length: number): Uint8Array {
    if (length > this.remainingBytes) throw this.#cutOff();
    if ((this.#bits & 7) === 0) {
      const start = this.#bits >>> 3;
      this.#bits += length * 8;
      return this.#bytes.subarray(start, start + length);
    }
    const part = new Uint8Array(length);
    for (let i = 0; i < length; i += 1) part[i] = this.u8();
    return part;
  }

  /** A list: its length, then each item behind its own. */
  list(): Uint8Array[] {
    const count = this.count(8);
    const items: Uint8Array[] = [];
    for (let i = 0; i < count; i += 1) items.push(this.prefixed());
    return items;
  }

  /** Whole bytes that are left. */
  get remainingBytes(): number {
    return (this.#bytes.length * 8 - this.#bits) >>> 3;
  }

  #cutOff(): Error {
    return badForm("leaf", `is cut off at bit ${this.#bits}`);
  }
}
