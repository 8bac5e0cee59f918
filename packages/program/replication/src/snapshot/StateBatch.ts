import { blake2b256 } from "@vedette/crypto";
import type { Store } from "@vedette/store";
import { type SpaceDialect, stateTables } from "@vedette/tuplespace";
import { ItemColumns, maxItems } from "./ItemColumns.js";

/**
 * Written in one transaction. Keys are hashes, so that each entry falls on another page of the store: the more of them
 * are written at once, the fewer pages are written again and again.
 */
const bytesOfBatch = 64 << 20;

/** Nodes and leaves on their way into a store, in the order in which they lie there. */
export class StateBatch {
  readonly #store: Store;
  readonly #form: SpaceDialect;
  #nodes = new ItemColumns();
  #leaves = new ItemColumns();
  #bytes = 0;

  constructor(store: Store, form: SpaceDialect) {
    this.#store = store;
    this.#form = form;
  }

  /** @param value stays as it is until it was written @returns its hash */
  add(kind: "node" | "leaf", value: Uint8Array): Uint8Array {
    const key = kind === "leaf" ? this.#form.leafHash(value) : blake2b256(value);
    (kind === "node" ? this.#nodes : this.#leaves).add(key, value);
    this.#bytes += value.length;
    return key;
  }

  /** Whether {@link write} is to be called before another chunk is added. */
  get isFull(): boolean {
    // As many as a chunk may have, and more, have to find room yet.
    const isCrowded = Math.max(this.#nodes.size, this.#leaves.size) > maxItems / 4;
    return isCrowded || this.#bytes >= bytesOfBatch;
  }

  /** @throws {StoreError} */
  write(): void {
    if (this.#bytes === 0) return;
    const items = { nodes: this.#nodes, leaves: this.#leaves };
    [this.#nodes, this.#leaves, this.#bytes] = [new ItemColumns(), new ItemColumns(), 0];
    this.#store.write((tables) => {
      for (const kind of ["nodes", "leaves"] as const) {
        const table = tables(stateTables[kind]);
        for (const item of items[kind].sorted()) table.put(items[kind].key(item), items[kind].value(item));
      }
    });
  }
}
