import type { TableName } from "../tables.js";
import { checksum } from "./checksum.js";

/** The size of the seal in each value. */
const sealBytes = 4;

/**
 * The checksum at the end of each value of a table on disk. It covers the table's name, the key and the value, so that
 * neither changed bits nor another entry's value are accepted as the written value.
 *
 * @spec 30 §5.8
 */
export class Seal {
  readonly #start: number;

  constructor(table: TableName) {
    this.#start = checksum(new TextEncoder().encode(table), 0);
  }

  /** The value as it is written. */
  close(key: Uint8Array, value: Uint8Array): Uint8Array {
    const sealed = Buffer.allocUnsafe(value.length + sealBytes);
    sealed.set(value);
    sealed.writeUInt32LE(this.#sum(key, value), value.length);
    return sealed;
  }

  /** The value that was written, a view of what was read; `undefined` where that is damaged. */
  open(key: Uint8Array, sealed: Uint8Array): Uint8Array | undefined {
    const end = sealed.length - sealBytes;
    if (end < 0) return undefined;
    const value = new Uint8Array(sealed.buffer, sealed.byteOffset, end);
    const sum = sealed[end]! | (sealed[end + 1]! << 8) | (sealed[end + 2]! << 16) | (sealed[end + 3]! << 24);
    return sum >>> 0 === this.#sum(key, value) ? value : undefined;
  }

  #sum(key: Uint8Array, value: Uint8Array): number {
    return checksum(value, checksum(key, this.#start));
  }
}
