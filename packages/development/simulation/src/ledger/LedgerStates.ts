import { blake2b256 } from "@vedette/crypto";
import { type Block, decodeBlock, hashKey, rnode } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import { emptyRoot, findMissing, HistoryError, type StateStore, stateTables, updateTree } from "@vedette/tuplespace";
import type { Entries, Ledger } from "./Ledger.js";

const text = new TextEncoder();
/** A kind of keys of its own, of the length that the tree's keys have. */
const keyPrefix = 7;

/** The additions of a ledger's change to the tables of a store. */
export interface Commit {
  readonly root: Uint8Array;
  readonly nodes: readonly (readonly [Uint8Array, Uint8Array])[];
  readonly leaves: readonly (readonly [Uint8Array, Uint8Array])[];
  readonly entries: Entries;
}

interface KnownBlock {
  readonly bytes: Uint8Array;
  readonly block: Block;
  /** Names the content among all that is known. */
  readonly key: string;
}

/** The place of the hash in the bytes of a block: behind the tag of field 1 and its length. */
const [hashFrom, hashTo] = [2, 34];

/** The results that are alike for all nodes of a simulation: the ledger of a root, and the result of an execution. */
export class KnownLedgers {
  readonly #byRoot = new Map<string, Entries>([[hashKey(emptyRoot), new Map()]]);
  readonly #blocks = new Map<string, KnownBlock[]>();
  readonly #executed = new Map<string, unknown>();

  /** A block that was decoded once; only the very same bytes are the same block. */
  blockOf(bytes: Uint8Array): KnownBlock {
    const hash = hashKey(bytes.subarray(hashFrom, hashTo));
    const copies = this.#blocks.get(hash) ?? [];
    let known = copies.find((one) => one.bytes.length === bytes.length && Buffer.compare(one.bytes, bytes) === 0);
    if (known !== undefined) return known;
    known = { bytes: bytes.slice(), block: decodeBlock(bytes, rnode.blockForm), key: `${hash} ${copies.length}` };
    this.#blocks.set(hash, [...copies, known]);
    return known;
  }

  /** The first node that needs the result of an execution computes it. */
  once<Result>(key: string, execute: () => Result): Result {
    if (!this.#executed.has(key)) this.#executed.set(key, execute());
    return this.#executed.get(key) as Result;
  }

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

  /** Prepares the commit of a changed ledger. */
  prepare(from: Uint8Array, ledger: Ledger): Commit {
    const changes = [...ledger.changed].map((name) => ({ name, value: ledger.entries.get(name) }));
    const leaves = changes.flatMap(({ name, value }) => (value === undefined ? [] : [leafOf(name, value)]));
    const actions = changes.map(({ name, value }) => ({
      key: keyOf(name),
      value: value === undefined ? undefined : leafOf(name, value).hash,
    }));
    const { root, newNodes } = updateTree(this.state, from, actions);
    return {
      root,
      nodes: newNodes.map(({ hash, node }) => [hash, node.bytes]),
      leaves: leaves.map(({ hash, bytes }) => [hash, bytes]),
      entries: ledger.entries,
    };
  }

  /** Writes it. @returns its root */
  commit({ root, nodes, leaves, entries }: Commit): Uint8Array {
    this.#store.write((tables) => {
      for (const [hash, bytes] of nodes) tables(stateTables.nodes).put(hash, bytes);
      for (const [hash, bytes] of leaves) tables(stateTables.leaves).put(hash, bytes);
      tables(stateTables.roots).put(root, text.encode("root"));
    });
    this.#known.add(root, entries);
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
