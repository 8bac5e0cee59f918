import { corrupted } from "./LeafError.js";

/** Reads bits, most significant first. Bytes that it gives back are views where they begin at a whole byte. @spec 30 §4.3 */
export class BitReader {
  private bits: number;

  constructor(
    private readonly bytes: Uint8Array,
    startByte = 0,
  ) {
    this.bits = startByte * 8;
  }

  bit(): boolean {
    const byte = this.bytes[this.bits >>> 3];
    if (byte === undefined) throw cutOff(this.bits);
    const value = (byte & (0x80 >>> (this.bits & 7))) !== 0;
    this.bits += 1;
    return value;
  }

  u8(): number {
    const index = this.bits >>> 3;
    const shift = this.bits & 7;
    if (this.bits + 8 > this.bytes.length * 8) throw cutOff(this.bits);
    this.bits += 8;
    if (shift === 0) return this.bytes[index]!;
    return ((this.bytes[index]! << shift) | (this.bytes[index + 1]! >>> (8 - shift))) & 0xff;
  }

  /** A count or a length of 4 bytes; negative ones are refused, as is what the rest cannot hold. */
  count(itemBytes: number): number {
    const value = (this.u8() << 24) | (this.u8() << 16) | (this.u8() << 8) | this.u8();
    if (value < 0 || value * itemBytes > this.remainingBytes) {
      throw corrupted(`A count of ${value} items at bit ${this.bits} is more than there are.`);
    }
    return value;
  }

  /** Bytes after a length of 8 bytes. */
  prefixed(): Uint8Array {
    const high = this.count(0);
    const low = this.count(1);
    if (high !== 0) throw corrupted(`A length at bit ${this.bits} is more than there is.`);
    return this.raw(low);
  }

  raw(length: number): Uint8Array {
    if (length > this.remainingBytes) throw cutOff(this.bits);
    if ((this.bits & 7) === 0) {
      const start = this.bits >>> 3;
      this.bits += length * 8;
      return this.bytes.subarray(start, start + length);
    }
    const part = new Uint8Array(length);
    for (let i = 0; i < length; i += 1) part[i] = this.u8();
    return part;
  }

  /** Whole bytes that are left. */
  get remainingBytes(): number {
    return (this.bytes.length * 8 - this.bits) >>> 3;
  }
}

function cutOff(bit: number): Error {
  return corrupted(`The bytes end at bit ${bit}.`);
}
