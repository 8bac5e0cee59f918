import { blake2b256, toHex } from "@vedette/crypto";
import type { Store } from "@vedette/store";
import { StatePruning } from "../history/StatePruning.js";
import { StateStore } from "../history/StateStore.js";
import { emptyRoot, type HistoryAction, updateTree } from "../history/updateTree.js";
import type { Leaf } from "../leaf/Leaf.js";

/** A state that was made, and what the channels hold in it. */
export interface MadeState {
  readonly root: Uint8Array;
  readonly before: Uint8Array;
  readonly actions: readonly HistoryAction[];
  readonly values: readonly Uint8Array[];
  readonly content: ReadonlyMap<string, Uint8Array>;
}

const keys = 120;
const keysOfCommit = 5;

/** States one after the other, of which the newest are kept: every one of these must be whole. */
export class PrunedStates {
  readonly #store: Store;
  readonly #kept: number;
  states: StateStore;
  pruning: StatePruning;
  readonly forgotten: Uint8Array[] = [];
  readonly made: MadeState[] = [];
  #height = 0;
  #seed: number;

  /** @param kept how many of the newest */
  constructor(store: Store, kept: number, seed = 1) {
    this.#store = store;
    this.#kept = kept;
    this.#seed = seed;
    [this.states, this.pruning] = this.#open();
  }

  /** As after a kill. */
  reopen(): void {
    [this.states, this.pruning] = this.#open();
  }

  /** @param kind "branch": on one of the older states; "back": to values that were there before */
  commit(kind: "commit" | "branch" | "back" = "commit"): MadeState {
    const before = kind === "branch" ? this.made[this.#random(this.made.length)] : this.made.at(-1);
    const range = kind === "back" ? 3 : 1_000_000;
    const actions: HistoryAction[] = [];
    const values: Uint8Array[] = [];
    for (let index = 0; index < (before === undefined ? keys : keysOfCommit); index += 1) {
      const number = before === undefined ? index : this.#random(keys);
      const key = keyOf(number);
      if (actions.some((action) => toHex(action.key) === toHex(key))) continue;
      const isGone = before !== undefined && this.#random(6) === 0;
      const bytes = new TextEncoder().encode(`${number} ${this.#random(range)}`);
      if (!isGone) values.push(bytes);
      actions.push({ key, value: isGone ? undefined : blake2b256(bytes) });
    }
    return this.commitAgain({ before: before?.root ?? emptyRoot, actions, values });
  }

  commitAgain({ before, actions, values }: Pick<MadeState, "before" | "actions" | "values">): MadeState {
    const from = this.made.find(({ root }) => toHex(root) === toHex(before))?.content;
    const { root, newNodes } = updateTree(this.states, before, actions);
    const newLeaves = values.map((bytes) => ({
      leaf: { hash: blake2b256(bytes), memoryBytes: 100 } as unknown as Leaf,
      bytes,
    }));
    this.states.commit({ root, newNodes, newLeaves });
    const content = new Map(from);
    for (const { key, value } of actions) {
      if (value === undefined) content.delete(toHex(key));
      else content.set(toHex(key), value);
    }
    const made = { root, before, actions, values, content };
    this.made.push(made);
    this.#height += 1;
    return made;
  }

  /** Forgets all but the newest. */
  forgetOld(): void {
    const gone = this.made.splice(0, Math.max(0, this.made.length - this.#kept)).map(({ root }) => root);
    const kept = new Set(this.made.map(({ root }) => toHex(root)));
    const roots = gone.filter((root) => !kept.has(toHex(root)));
    this.forgotten.push(...roots);
    this.pruning.forget(roots, BigInt(Math.max(0, this.#height - this.#kept)));
  }

  /** @throws TypeError where one of the kept states is not whole */
  check(): void {
    const states = new StateStore(this.#store);
    for (const { root, content } of this.made) {
      if (!states.hasRoot(root)) throw new TypeError(`the state ${toHex(root)} is forgotten`);
      const found = contentOf(states, root);
      if (found.size !== content.size) throw new TypeError(`the state ${toHex(root)} has ${found.size} keys`);
      for (const [key, value] of content)
        if (toHex(found.get(key) ?? emptyRoot) !== toHex(value)) throw new TypeError(`${key} is another one`);
    }
  }

  #open(): [StateStore, StatePruning] {
    const states = new StateStore(this.#store);
    return [states, new StatePruning(this.#store, states, () => performance.now())];
  }

  #random(below: number): number {
    this.#seed = (Math.imul(this.#seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#seed / 2 ** 32) * below);
  }
}

/** Every key and the hash of its leaf; each node and leaf is read. */
function contentOf(states: StateStore, root: Uint8Array): Map<string, Uint8Array> {
  const content = new Map<string, Uint8Array>();
  const pending: { readonly hash: Uint8Array; readonly path: string }[] = [{ hash: root, path: "" }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const node = toHex(next.hash) === toHex(emptyRoot) ? undefined : states.node(next.hash);
    for (let index = 0; node !== undefined && index < 256; index += 1) {
      const offset = node.offsetOf(index);
      if (offset < 0) continue;
      const path = `${next.path}${index.toString(16).padStart(2, "0")}${toHex(node.prefixAt(offset))}`;
      const target = node.targetAt(offset);
      if (node.isPointerAt(offset)) pending.push({ hash: target, path });
      else if (states.leafBytes(target) === undefined) throw new TypeError(`the leaf at ${path} is gone`);
      else content.set(path, target);
    }
  }
  return content;
}

function keyOf(number: number): Uint8Array {
  return blake2b256(new TextEncoder().encode(`key ${number}`));
}
