import { blake2b256, toHex } from "@vedette/crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { childrenOf } from "./childrenOf.js";
import { diffStates } from "./diffStates.js";
import { memoryStateStore } from "./memoryStateStore.js";
import type { StateStore } from "./StateStore.js";
import { emptyRoot, updateTree } from "./updateTree.js";

/** Keys with few bytes in them: their paths part and meet again often. */
const keys = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 3, maxLength: 3 });
const changes = fc.array(fc.tuple(keys, fc.option(fc.integer({ min: 0, max: 9 }))), { maxLength: 12 });

function apply(states: StateStore, root: Uint8Array, given: readonly (readonly [number[], number | null])[]) {
  const last = new Map(given.map(([key, value]) => [key.join(), { key: Uint8Array.from(key), value }]));
  const actions = [...last.values()].map(({ key, value }) => ({
    key: Uint8Array.of(...key, 7),
    value: value === null ? undefined : blake2b256(Uint8Array.of(value, ...key)),
  }));
  const update = updateTree(states, root, actions);
  states.commit({ root: update.root, newNodes: update.newNodes, newLeaves: [] });
  return update.root;
}

/** The hashes of all nodes and leaves of a state. */
function itemsOf(states: StateStore, root: Uint8Array): Set<string> {
  const items = new Set<string>();
  const pending = toHex(root) === toHex(emptyRoot) ? [] : [root];
  for (let hash = pending.pop(); hash !== undefined; hash = pending.pop()) {
    items.add(toHex(hash));
    const { nodes, leaves } = childrenOf(states.node(hash));
    pending.push(...nodes);
    for (const leaf of leaves) items.add(toHex(leaf));
  }
  return items;
}

test("a difference has what the older state lacks, and nothing that is in neither or in both at the same place", () => {
  fc.assert(
    fc.property(changes, changes, (first, second) => {
      const states = memoryStateStore();
      const before = apply(states, emptyRoot, first);
      const after = apply(states, before, second);
      const [old, made] = [itemsOf(states, before), itemsOf(states, after)];
      const { nodes, leaves } = diffStates(states, after, before);
      const listed = [...nodes.map(({ node: { bytes } }) => toHex(blake2b256(bytes))), ...leaves.map(toHex)];
      expect(new Set(listed).size).toBe(listed.length);
      for (const hash of listed) expect(made.has(hash)).toBe(true);
      const wanted = [...made].filter((hash) => !old.has(hash));
      expect(wanted.filter((hash) => !listed.includes(hash))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test("a change of one leaf in a large state is its path alone; the same state is nothing", () => {
  const states = memoryStateStore();
  const many = Array.from({ length: 400 }, (_, at): [number[], number] => [[at >> 4, at & 15, at % 7], at % 250]);
  const before = apply(states, emptyRoot, many);
  const after = apply(states, before, [[[3, 5, 53 % 7], 251]]);
  const { nodes, leaves } = diffStates(states, after, before);
  expect(leaves).toHaveLength(1);
  expect(nodes.length).toBeLessThanOrEqual(4);
  expect(diffStates(states, after, after)).toEqual({ nodes: [], leaves: [], firstBytes: [] });
  expect(diffStates(states, after, emptyRoot).nodes.length).toBe(
    [...itemsOf(states, after)].length - diffStates(states, after, emptyRoot).leaves.length,
  );
  expect(diffStates(states, emptyRoot, after)).toEqual({ nodes: [], leaves: [], firstBytes: [] });
});
