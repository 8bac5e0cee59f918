import { blake2b256 } from "@vedette/crypto";

const initialBytes = 16 << 10;
const keptBytes = 1 << 20;

/**
 * Collects the parts of an event's hash: their number, then each with its length.
 *
 * One buffer serves all hashes, as thousands are made for each block; an unusually large one is given back.
 *
 * @spec 30 §2.3 (`vec`)
 */
export class VectorBuffer {
  private bytes = new Uint8Array(initialBytes);
  private view = new DataView(this.bytes.buffer);
  private length = 0;

  start(count: number): void {
    this.view.setInt32(0, count);
    this.length = 4;
  }

  add(part: Uint8Array): void {
    const start = this.length + 8;
    const end = start + part.length;
    if (end > this.bytes.length) this.grow(end);
    this.view.setInt32(this.length, 0);
    this.view.setInt32(this.length + 4, part.length);
    this.bytes.set(part, start);
    this.length = end;
  }

  hash(): Uint8Array {
    const hash = blake2b256(this.bytes.subarray(0, this.length));
    if (this.bytes.length > keptBytes) this.allocate(initialBytes);
    return hash;
  }

  private grow(needed: number): void {
    const filled = this.bytes.subarray(0, this.length);
    this.allocate(Math.max(needed, this.bytes.length * 2));
    this.bytes.set(filled);
  }

  private allocate(size: number): void {
    this.bytes = new Uint8Array(size);
    this.view = new DataView(this.bytes.buffer);
  }
}
