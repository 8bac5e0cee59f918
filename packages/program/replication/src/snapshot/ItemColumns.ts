import { compareBytes } from "@vedette/crypto";

/** The size of the key of a node or leaf: its hash. */
const keyBytes = 32;
/** A key's first four bytes and a number of an item fit into one number together. */
const numberBits = 21;
/** No more of them have a place in columns. */
export const maxItems = 1 << numberBits;
const firstPlaces = 1 << 12;

/**
 * Nodes, or leaves, under their hashes. There are millions of them on their way, so that they are columns of numbers and
 * no objects, which the collector of garbage would go through again and again.
 */
export class ItemColumns {
  #keys = new Uint8Array(firstPlaces * keyBytes);
  #sources = new Uint32Array(firstPlaces);
  #starts = new Uint32Array(firstPlaces);
  #lengths = new Uint32Array(firstPlaces);
  /** The buffers that contain the values. */
  readonly #buffers: ArrayBufferLike[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @param value stays as it is; so does what it is a part of */
  add(key: Uint8Array, value: Uint8Array): void {
    const at = this.#size;
    if (at === this.#starts.length) this.#grow();
    if (this.#buffers.at(-1) !== value.buffer) this.#buffers.push(value.buffer);
    this.#keys.set(key, at * keyBytes);
    this.#sources[at] = this.#buffers.length - 1;
    this.#starts[at] = value.byteOffset;
    this.#lengths[at] = value.length;
    this.#size = at + 1;
  }

  key(item: number): Uint8Array {
    return this.#keys.subarray(item * keyBytes, (item + 1) * keyBytes);
  }

  value(item: number): Uint8Array {
    return new Uint8Array(this.#buffers[this.#sources[item]!]!, this.#starts[item]!, this.#lengths[item]!);
  }

  /** The first four bytes of a key. */
  #orderOf(item: number): number {
    const at = item * keyBytes;
    const keys = this.#keys;
    return ((keys[at]! << 24) | (keys[at + 1]! << 16) | (keys[at + 2]! << 8) | keys[at + 3]!) >>> 0;
  }

  /** All items in the order of their keys. */
  sorted(): Uint32Array {
    const ranks = new Float64Array(this.#size);
    for (let item = 0; item < this.#size; item += 1) ranks[item] = this.#orderOf(item) * maxItems + item;
    ranks.sort();
    const items = new Uint32Array(this.#size);
    for (let at = 0; at < items.length; at += 1) {
      const item = ranks[at]! % maxItems;
      let place = at;
      // Few begin alike.
      for (; place > 0 && this.#isBefore(item, items[place - 1]!); place -= 1) items[place] = items[place - 1]!;
      items[place] = item;
    }
    return items;
  }

  #isBefore(item: number, other: number): boolean {
    const difference = this.#orderOf(item) - this.#orderOf(other);
    return difference < 0 || (difference === 0 && compareBytes(this.key(item), this.key(other)) < 0);
  }

  #grow(): void {
    const places = 2 * this.#starts.length;
    this.#keys = grown(this.#keys, places * keyBytes);
    [this.#sources, this.#starts, this.#lengths] = [
      grown(this.#sources, places),
      grown(this.#starts, places),
      grown(this.#lengths, places),
    ];
  }
}

function grown<Column extends Uint8Array | Uint32Array>(column: Column, length: number): Column {
  const longer = new (column.constructor as new (length: number) => Column)(length);
  longer.set(column);
  return longer;
}
