/** Writes bits, most significant first, into bytes that are filled up with zero bits. @spec 30 §4.3 */
export class BitWriter {
  private readonly bytes: Uint8Array;
  private bits = 0;

  /** @param bitLength how many bits will be written */
  constructor(bitLength: number) {
    this.bytes = new Uint8Array((bitLength + 7) >>> 3);
  }

  bit(value: boolean): void {
    if (value) this.bytes[this.bits >>> 3] = this.bytes[this.bits >>> 3]! | (0x80 >>> (this.bits & 7));
    this.bits += 1;
  }

  u8(value: number): void {
    const index = this.bits >>> 3;
    const shift = this.bits & 7;
    this.bytes[index] = this.bytes[index]! | (value >>> shift);
    if (shift !== 0) this.bytes[index + 1] = (value << (8 - shift)) & 0xff;
    this.bits += 8;
  }

  i32(value: number): void {
    this.u8((value >>> 24) & 0xff);
    this.u8((value >>> 16) & 0xff);
    this.u8((value >>> 8) & 0xff);
    this.u8(value & 0xff);
  }

  /** The length as 8 bytes, then the bytes. */
  prefixed(part: Uint8Array): void {
    this.i32(0);
    this.i32(part.length);
    this.raw(part);
  }

  raw(part: Uint8Array): void {
    if ((this.bits & 7) === 0) {
      this.bytes.set(part, this.bits >>> 3);
      this.bits += part.length * 8;
      return;
    }
    for (let i = 0; i < part.length; i += 1) this.u8(part[i]!);
  }

  finish(): Uint8Array {
    return this.bytes;
  }
}
