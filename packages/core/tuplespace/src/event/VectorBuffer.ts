import { blake2b256, blake2b256Input, blake2b256OfInput } from "@vedette/crypto";
import { checkTermSize, ParWriter } from "@vedette/terms";

const lengthBytes = 8;

/**
 * Collects the parts of an event's hash: their number, then each with its length.
 *
 * PERF: the parts are written where they are hashed. Most of these hashes are never read again, and an array for each
 * would keep the garbage collector busy.
 *
 * @spec 30 §2.3 (`vec`)
 */
export class VectorBuffer {
  private readonly writer = new ParWriter(blake2b256Input);

  start(count: number): void {
    const { writer } = this;
    writer.bytes = blake2b256Input;
    writer.position = 0;
    this.number(count);
  }

  /**
   * Begins a part of `size` bytes, all of which the caller writes before anything else is hashed.
   *
   * @throws {TermLimitError} `tooLarge`
   */
  begin(size: number): ParWriter {
    const { writer } = this;
    const needed = writer.position + lengthBytes + size;
    if (needed > writer.bytes.length) this.grow(needed);
    this.number(0);
    this.number(size);
    return writer;
  }

  add(part: Uint8Array): void {
    this.begin(part.length).raw(part);
  }

  byte(value: number): void {
    const writer = this.begin(1);
    writer.bytes[writer.position++] = value;
  }

  hash(): Uint8Array {
    const { bytes, position } = this.writer;
    if (bytes === blake2b256Input) return blake2b256OfInput(position);
    this.writer.bytes = blake2b256Input;
    return blake2b256(bytes.subarray(0, position));
  }

  private number(value: number): void {
    const { writer } = this;
    const { bytes, position } = writer;
    bytes[position] = value >>> 24;
    bytes[position + 1] = value >>> 16;
    bytes[position + 2] = value >>> 8;
    bytes[position + 3] = value;
    writer.position = position + 4;
  }

  private grow(needed: number): void {
    checkTermSize(needed);
    const { writer } = this;
    const larger = new Uint8Array(Math.max(needed, writer.bytes.length * 2));
    larger.set(writer.bytes.subarray(0, writer.position));
    writer.bytes = larger;
  }
}
