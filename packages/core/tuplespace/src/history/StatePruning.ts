import { hashKey } from "@vedette/protocol";
import type { Range, ReadableTable, Store } from "@vedette/store";
import { rootOfKey } from "../merge/recordKey.js";
import { BloomFilter } from "./BloomFilter.js";
import { childrenOf } from "./childrenOf.js";
import { decodeChanges } from "./nodeChanges.js";
import { hashLength, type RadixNode } from "./RadixNode.js";
import { type StateCommit, type StateStore, stateTables } from "./StateStore.js";

/** Entries that are looked at, and with luck deleted, in one transaction. */
const entriesOfSlice = 256;
/**
 * For this time after nodes came from a peer no round begins: pieces that the copying of a state found here must stay until it is
 * complete.
 */
const copyMs = 600_000;

/** Key of the table of roots with the height below which states were removed. */
const forgottenKey = new TextEncoder().encode("forgotten-below");

/** How far a round is. */
export interface PruningStep {
  /** `idle`: there is none. `done`: it has come to its end. */
  readonly phase: "idle" | "marking" | "sweeping" | "done";
  /** Nodes that were found to be needed, and entries that were thrown away, in this round. */
  readonly marked: number;
  readonly removed: number;
}

/** The tables of a state store that are swept, in this order: changes of nodes before the nodes that they need. */
const swept = ["changedHistory", "history", "cold", "mergeable"] as const;

interface Round {
  readonly pending: Uint8Array[];
  /** Nodes below the roots that there were at the beginning. */
  readonly visited: Set<string>;
  /** Nodes that were written since, and what nodes are stored as changes of. */
  readonly guarded: Set<string>;
  readonly leaves: BloomFilter;
  /** Place in {@link swept}; -1 while nodes are marked. */
  table: number;
  /** The last key that was looked at. */
  after: Uint8Array | undefined;
  removed: number;
}

/**
 * Throws away what no recorded root needs: states are forgotten, by their roots, and what was theirs alone goes in
 * rounds, each of which marks all that is below the roots that are left and then looks through the tables. All of it
 * happens in slices, between which states are read and written as ever.
 *
 * Nothing has to be noted on disk. A node is thrown away before that which it is stored as changes of, and all nodes of
 * a new state are among the written ones or below the state that it was made of; so at each moment every recorded root
 * has all its nodes and leaves, wherever a round is broken off.
 *
 * @spec 30 §5.9
 */
export class StatePruning {
  readonly #store: Store;
  readonly #states: StateStore;
  readonly #nowMs: () => number;
  #round: Round | undefined;
  #copiedMs = Number.NEGATIVE_INFINITY;

  /**
   * @param states by which all that is written into the store is written, while rounds are under way
   * @param nowMs  monotonic
   */
  constructor(store: Store, states: StateStore, nowMs: () => number) {
    this.#store = store;
    this.#states = states;
    this.#nowMs = nowMs;
    states.onCommit = (commit) => this.#guard(commit);
  }

  /** The pieces here count as present while a state is copied, so that nothing is removed as long as one may be. */
  copying(): void {
    this.#copiedMs = this.#nowMs();
    this.#round = undefined;
  }

  /**
   * Removes the roots of states: no reader can use them from now on, and the next round removes what only they have.
   */
  forget(roots: readonly Uint8Array[], below: bigint): void {
    const height = new Uint8Array(8);
    new DataView(height.buffer).setBigInt64(0, below);
    this.#store.write((tables) => {
      for (const root of roots) tables(stateTables.roots).delete(root);
      tables(stateTables.roots).put(forgottenKey, height);
    });
  }

  /** The height below which states were forgotten; `undefined` where none ever was. */
  get forgottenBelow(): bigint | undefined {
    return readForgotten(this.#store.table(stateTables.roots));
  }

  /**
   * Continues a round.
   *
   * @param mayBegin whether one is begun where there is none
   * @param budgetMs approximate duration; at least one node or one slice of a table
   */
  step(mayBegin: boolean, budgetMs: number): PruningStep {
    const begunMs = this.#nowMs();
    if (this.#round === undefined && mayBegin && begunMs - this.#copiedMs > copyMs) this.#round = this.#begin();
    const round = this.#round;
    if (round === undefined) return { phase: "idle", marked: 0, removed: 0 };
    do {
      if (round.table < 0) this.#mark(round);
      else this.#sweep(round);
    } while (round.table < swept.length && this.#nowMs() - begunMs < budgetMs);
    const isDone = round.table >= swept.length;
    if (isDone) this.#round = undefined;
    const phase = isDone ? "done" : round.table < 0 ? "marking" : "sweeping";
    return { phase, marked: round.visited.size, removed: round.removed };
  }

  #begin(): Round {
    const pending: Uint8Array[] = [];
    for (const [key] of this.#store.table(stateTables.roots).range()) if (key.length === hashLength) pending.push(key);
    const leaves = new BloomFilter(this.#store.table(stateTables.leaves).count());
    const [visited, guarded] = [new Set<string>(), new Set<string>()];
    return { pending, visited, guarded, leaves, table: -1, after: undefined, removed: 0 };
  }

  #mark(round: Round): void {
    const hash = round.pending.pop();
    if (hash === undefined) {
      round.table = 0;
      return;
    }
    const key = hashKey(hash);
    if (round.visited.has(key)) return;
    // A root may be recorded before its nodes have arrived.
    const stored = this.#states.storedNode(hash);
    if (stored === undefined) return;
    round.visited.add(key);
    if (stored.whole !== undefined) round.guarded.add(hashKey(stored.whole));
    pushTargets(stored.node, round);
  }

  #sweep(round: Round): void {
    const name = swept[round.table]!;
    const gone: Uint8Array[] = [];
    let looked = 0;
    for (const [key] of this.#store.table(name).range(rangeAfter(round.after))) {
      looked += 1;
      round.after = key;
      if (!this.#isNeeded(round, name, key)) gone.push(key);
    }
    if (gone.length > 0)
      this.#store.write((tables) => {
        for (const key of gone) tables(name).delete(key);
      });
    round.removed += gone.length;
    if (looked === entriesOfSlice) return;
    round.table += 1;
    round.after = undefined;
  }

  #isNeeded({ visited, guarded, leaves }: Round, name: (typeof swept)[number], key: Uint8Array): boolean {
    if (name === "cold") return leaves.mayHave(key);
    if (name === "mergeable") return this.#states.hasRoot(rootOfKey(key));
    const text = hashKey(key);
    return visited.has(text) || guarded.has(text);
  }

  #guard({ newNodes, newLeaves }: StateCommit): void {
    const round = this.#round;
    if (round === undefined) return;
    for (const { hash, node } of newNodes) {
      addLeaves(node, round.leaves);
      round.guarded.add(hashKey(hash));
      const changes = this.#store.table(stateTables.changedNodes).get(hash);
      if (changes !== undefined) round.guarded.add(hashKey(decodeChanges(changes).whole));
    }
    for (const { leaf } of newLeaves) round.leaves.add(leaf.hash);
  }
}

/** The height below which states were forgotten. @param roots the table of roots */
export function readForgotten(roots: ReadableTable): bigint | undefined {
  const value = roots.get(forgottenKey);
  return value === undefined ? undefined : new DataView(value.buffer, value.byteOffset).getBigInt64(0);
}

function pushTargets(node: RadixNode, { pending, leaves }: Round): void {
  const below = childrenOf(node);
  for (const target of below.nodes) pending.push(target);
  for (const target of below.leaves) leaves.add(target);
}

function addLeaves(node: RadixNode, leaves: BloomFilter): void {
  for (const target of childrenOf(node).leaves) leaves.add(target);
}

function rangeAfter(after: Uint8Array | undefined): Range {
  if (after === undefined) return { limit: entriesOfSlice };
  const from = new Uint8Array(after.length + 1);
  from.set(after);
  return { from, limit: entriesOfSlice };
}
