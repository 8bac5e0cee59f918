import { blake2b256, equalBytes } from "@vedette/crypto";
import { hashKey } from "@vedette/protocol";
import { childrenOf, type StateStore } from "@vedette/tuplespace";

const emptyRoot = blake2b256(new Uint8Array(0));

/** Looks whether states have all of their nodes and leaves, each of which is looked at once. */
export class StateWalk {
  readonly #states: StateStore;
  readonly #whole = new Set<string>();

  constructor(states: StateStore) {
    this.#states = states;
  }

  /** Whether all parts of a state are here and match their hashes. */
  isWhole(root: Uint8Array): boolean {
    const found = new Set<string>();
    const pending = [root];
    for (let hash = pending.pop(); hash !== undefined; hash = pending.pop()) {
      const key = hashKey(hash);
      if (this.#whole.has(key) || found.has(key) || equalBytes(hash, emptyRoot)) continue;
      const children = this.#childrenOf(hash);
      if (children === undefined) return false;
      found.add(key);
      pending.push(...children);
    }
    for (const key of found) this.#whole.add(key);
    return true;
  }

  /** @returns the nodes below a node that has all its leaves here; `undefined` if a part is missing */
  #childrenOf(hash: Uint8Array): readonly Uint8Array[] | undefined {
    try {
      const stored = this.#states.storedNode(hash);
      if (stored === undefined || !equalBytes(blake2b256(stored.node.bytes), hash)) return undefined;
      const { nodes, leaves } = childrenOf(stored.node);
      return leaves.every((leaf) => this.#states.hasLeaf(leaf)) ? nodes : undefined;
    } catch {
      // It is stored as changes of one that is missing, or cannot be read.
      return undefined;
    }
  }
}
