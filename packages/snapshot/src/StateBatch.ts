import { blake2b256 } from "@vedette/crypto";
import type { StateStore } from "@vedette/tuplespace";

/**
 * Written in one transaction. Keys are hashes, so that each entry falls on another page of the store: the more of them
 * are written at once, the fewer pages are written again and again.
 */
const bytesOfBatch = 32 << 20;

interface Item {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  /** The key's first four bytes. */
  readonly order: number;
}

/** Nodes and leaves on their way into a store, in the order in which they lie there. */
export class StateBatch {
  readonly #states: Pick<StateStore, "putItems" | "form">;
  #nodes: Item[] = [];
  #leaves: Item[] = [];
  #bytes = 0;

  constructor(states: Pick<StateStore, "putItems" | "form">) {
    this.#states = states;
  }

  /** @param value stays as it is until it was written @returns its hash */
  add(kind: "node" | "leaf", value: Uint8Array): Uint8Array {
    const key = kind === "leaf" ? this.#states.form.leafHash(value) : blake2b256(value);
    const order = new DataView(key.buffer, key.byteOffset).getUint32(0);
    (kind === "node" ? this.#nodes : this.#leaves).push({ key, value, order });
    this.#bytes += value.length;
    return key;
  }

  get isFull(): boolean {
    return this.#bytes >= bytesOfBatch;
  }

  write(): void {
    if (this.#bytes > 0) this.#states.putItems(inOrder(this.#nodes), inOrder(this.#leaves));
    [this.#nodes, this.#leaves, this.#bytes] = [[], [], 0];
  }
}

function inOrder(items: Item[]): readonly Item[] {
  return items.sort((one, other) => one.order - other.order);
}
