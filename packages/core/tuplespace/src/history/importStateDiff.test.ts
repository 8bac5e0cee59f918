import { blake2b256 } from "@vedette/crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type EncodedLeaf, Leaf } from "../leaf/Leaf.js";
import { childrenOf } from "./childrenOf.js";
import { diffStates } from "./diffStates.js";
import { type GivenState, importStateDiff } from "./importStateDiff.js";
import { memoryStateStore } from "./memoryStateStore.js";
import type { StateStore } from "./StateStore.js";
import { emptyRoot, updateTree } from "./updateTree.js";

const keys = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 3, maxLength: 3 });
const changes = fc.array(fc.tuple(keys, fc.option(fc.integer({ min: 0, max: 9 }))), { maxLength: 12 });
type Changes = readonly (readonly [readonly number[], number | null])[];

/** No data; the bytes behind them make it another leaf for each value. */
function leafOf(value: number, key: readonly number[]): EncodedLeaf {
  const bytes = new Uint8Array([...Leaf.ofData([]).bytes, value, ...key]);
  return { leaf: Leaf.decode(blake2b256(bytes), bytes), bytes };
}

function change(states: StateStore, root: Uint8Array, given: Changes): Uint8Array {
  const last = new Map(given.map(([key, value]) => [key.join(), { key, value }]));
  const newLeaves: EncodedLeaf[] = [];
  const actions = [...last.values()].map(({ key, value }) => {
    const leaf = value === null ? undefined : leafOf(value, key);
    if (leaf !== undefined) newLeaves.push(leaf);
    return { key: Uint8Array.of(...key, 7), value: leaf?.leaf.hash };
  });
  const made = updateTree(states, root, actions);
  states.commit({ ...made, newLeaves });
  return made.root;
}

/** The part of a state that a sender gives to a receiver that has an earlier state. */
function given(states: StateStore, root: Uint8Array, base: Uint8Array): GivenState {
  const { nodes, leaves } = diffStates(states, root, base);
  return {
    ...{ root, base, nodes: nodes.map(({ node }) => node.bytes) },
    leaves: leaves.map((hash) => states.leafBytes(hash)!),
  };
}

/** All nodes and leaves of a state can be read. */
function requireWhole(states: StateStore, root: Uint8Array): void {
  const pending = root === emptyRoot ? [] : [root];
  for (let hash = pending.pop(); hash !== undefined; hash = pending.pop()) {
    const { nodes, leaves } = childrenOf(states.node(hash));
    pending.push(...nodes);
    for (const leaf of leaves) states.leaf(leaf);
  }
}

const many: Changes = Array.from({ length: 60 }, (_, at) => [[at >> 4, at & 15, at % 7], at % 9]);

describe("a state from an untrusted sender", () => {
  test("is whole here, from what it has beside an earlier one", () => {
    fc.assert(
      fc.property(fc.array(changes, { maxLength: 5 }), (rounds) => {
        const [theirs, ours] = [memoryStateStore(), memoryStateStore()];
        let base = emptyRoot;
        for (const round of rounds) {
          const root = change(theirs, base, round);
          importStateDiff(ours, given(theirs, root, base));
          expect(ours.hasRoot(root)).toBe(true);
          requireWhole(ours, root);
          base = root;
        }
      }),
      { numRuns: 200 },
    );
  });

  test("is refused with a piece that is missing, changed or needless, and then nothing is written", () => {
    const theirs = memoryStateStore();
    const base = change(theirs, emptyRoot, many);
    const root = change(theirs, base, [
      [[1, 2, 3], 1],
      [[0, 0, 0], 8],
    ]);
    const right = given(theirs, root, base);
    expect(Math.min(right.nodes.length, right.leaves.length)).toBeGreaterThan(1);
    const wrong: [string, GivenState][] = [];
    for (const [kind, pieces] of [["nodes", right.nodes] as const, ["leaves", right.leaves] as const])
      for (const [at, piece] of pieces.entries()) {
        const others = pieces.filter((_, other) => other !== at);
        const forged = piece.slice();
        forged[forged.length - 1]! ^= 1;
        wrong.push([`without ${kind} ${at}`, { ...right, [kind]: others }]);
        wrong.push([`forged ${kind} ${at}`, { ...right, [kind]: [...others, forged] }]);
        wrong.push([`one more of ${kind}`, { ...right, [kind]: [...pieces, forged] }]);
      }
    for (const [what, one] of wrong) {
      const ours = memoryStateStore();
      importStateDiff(ours, given(theirs, base, emptyRoot));
      expect(() => importStateDiff(ours, one), what).toThrow(
        /Missing node|is not in the store|is not among what is new|deserial/,
      );
      expect(ours.hasRoot(root), what).toBe(false);
      importStateDiff(ours, right);
      requireWhole(ours, root);
    }
  });

  test("is refused where what it has in common with the earlier one lies here by chance, or the earlier one is not here", () => {
    const [theirs, ours] = [memoryStateStore(), memoryStateStore()];
    const base = change(theirs, emptyRoot, many);
    const root = change(theirs, base, [[[1, 2, 3], 1]]);
    const right = given(theirs, root, base);
    expect(() => importStateDiff(ours, right)).toThrow("unknown root");
    importStateDiff(ours, given(theirs, base, emptyRoot));
    const [first, ...others] = right.nodes;
    ours.putItems([{ key: root, value: first! }], []);
    expect(() => importStateDiff(ours, { ...right, nodes: others })).toThrow("Missing node");
  });

  test("is taken without what came with others before, where the store has nothing else; and has no more that is new than is said", () => {
    const [theirs, ours] = [memoryStateStore(), memoryStateStore()];
    const base = change(theirs, emptyRoot, many);
    const one = change(theirs, base, [[[1, 2, 3], 1]]);
    const other = change(theirs, one, [[[3, 3, 3], 1]]);
    for (const [root, before] of [
      [base, emptyRoot],
      [one, base],
    ] as const)
      importStateDiff(ours, given(theirs, root, before));
    const right = given(theirs, other, base);
    const known = given(theirs, one, base);
    const isNew = (pieces: readonly Uint8Array[], all: readonly Uint8Array[]) =>
      pieces.filter((piece) => !all.some((had) => Buffer.compare(had, piece) === 0));
    const nodes = isNew(right.nodes, known.nodes);
    const leaves = isNew(right.leaves, known.leaves);
    expect([nodes.length < right.nodes.length, leaves.length < right.leaves.length]).toEqual([true, true]);
    const less = { ...right, nodes, leaves };
    expect(() => importStateDiff(ours, less)).toThrow("Missing node");
    const lax = { ...less, isStoreGiven: true };
    for (const maxNodes of [0, right.nodes.length - 1])
      expect(() => importStateDiff(ours, { ...lax, maxNodes })).toThrow(`in more than ${maxNodes} nodes`);
    expect(() => importStateDiff(ours, { ...lax, nodes: nodes.slice(1) })).toThrow("Missing node");
    expect(() => importStateDiff(ours, { ...lax, leaves: [] })).toThrow("is not in the store");
    expect(() => importStateDiff(ours, { ...lax, leaves: [...leaves, Uint8Array.of(1)] })).toThrow(
      "is not among what is new",
    );
    importStateDiff(ours, { ...lax, maxNodes: right.nodes.length });
    requireWhole(ours, other);
    // Again, as after a kill.
    importStateDiff(ours, lax);
  });

  test("is written in one transaction with what belongs to it", () => {
    const [theirs, ours] = [memoryStateStore(), memoryStateStore()];
    const root = change(theirs, emptyRoot, many);
    const failing = () => {
      throw new TypeError("no room");
    };
    expect(() => importStateDiff(ours, given(theirs, root, emptyRoot), failing)).toThrow("no room");
    expect([ours.hasRoot(root), ours.nodeBytes(root)]).toEqual([false, undefined]);
  });
});
