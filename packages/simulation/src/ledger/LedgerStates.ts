import { blake2b256 } from "@vedette/crypto";
import { hashKey } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import { emptyRoot, findMissing, HistoryError, type StateStore, stateTables, updateTree } from "@vedette/tuplespace";
import type { Entries, Ledger } from "./Ledger.js";

const text = new TextEncoder();
/** A kind of keys of its own, of the length that the tree's keys have. */
const keyPrefix = 7;

/** Entries by root, for all nodes of a simulation: what a root stands for is the same everywhere. */
export class KnownLedgers {
  readonly #byRoot = new Map<string, Entries>([[hashKey(emptyRoot), new Map()]]);

  find(root: Uint8Array): Entries | undefined {
    return this.#byRoot.get(hashKey(root));
  }

  add(root: Uint8Array, entries: Entries): void {
    this.#byRoot.set(hashKey(root), entries);
  }
}

/** The ledgers of one node, as states of the real radix tree in its own store. */
export class LedgerStates {
  readonly state: StateStore;
  readonly #store: Store;
  readonly #known: KnownLedgers;
  /** Roots that this process has found to be whole. */
  readonly #whole = new Set<string>();

  constructor(store: Store, state: StateStore, known: KnownLedgers) {
    this.#store = store;
    this.state = state;
    this.#known = known;
  }

  /** @throws {HistoryError} where this node does not have the state, or not all of it */
  entries(root: Uint8Array): Entries {
    const key = hashKey(root);
    if (!this.#whole.has(key)) {
      const missing = this.state.hasRoot(root) ? findMissing(this.state, root, 1).nodes[0] : root;
      if (missing !== undefined && !isEmpty(root)) throw new HistoryError({ code: "nodeMissing", hash: missing });
      this.#whole.add(key);
    }
    return this.#known.find(root)!;
  }

  /** Writes what a ledger has become. @returns its root */
  commit(from: Uint8Array, ledger: Ledger): Uint8Array {
    const changes = [...ledger.changed].map((name) => ({ name, value: ledger.entries.get(name) }));
    const leaves = changes.flatMap(({ name, value }) => (value === undefined ? [] : [leafOf(name, value)]));
    const actions = changes.map(({ name, value }) => ({
      key: keyOf(name),
      value: value === undefined ? undefined : leafOf(name, value).hash,
    }));
    const { root, newNodes } = updateTree(this.state, from, actions);
    this.#store.write((tables) => {
      for (const { hash, node } of newNodes) tables(stateTables.nodes).put(hash, node.bytes);
      for (const { hash, bytes } of leaves) tables(stateTables.leaves).put(hash, bytes);
      tables(stateTables.roots).put(root, text.encode("root"));
    });
    this.#known.add(root, ledger.entries);
    this.#whole.add(hashKey(root));
    return root;
  }
}

function isEmpty(root: Uint8Array): boolean {
  return hashKey(root) === hashKey(emptyRoot);
}

function keyOf(name: string): Uint8Array {
  const key = new Uint8Array(33);
  key[0] = keyPrefix;
  key.set(blake2b256(text.encode(name)), 1);
  return key;
}

function leafOf(name: string, value: string): { readonly hash: Uint8Array; readonly bytes: Uint8Array } {
  const bytes = text.encode(`${name} = ${value}`);
  return { hash: blake2b256(bytes), bytes };
}
