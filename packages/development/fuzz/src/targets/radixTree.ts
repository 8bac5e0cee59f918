import { blake2b256, toHex } from "@vedette/crypto";
import {
  emptyRoot,
  HistoryError,
  memoryStateStore,
  proveKey,
  rnodeSpace,
  updateTree,
  verifyProof,
} from "@vedette/tuplespace";
import { buildTree, findLeaf, RadixNode } from "@vedette/tuplespace/testing";
import fc from "fast-check";
import { propertyTarget } from "../driver/propertyTarget.js";
import { must, refusedAs, type Target } from "../driver/Target.js";

/** Few byte values and one length, so that keys share prefixes of every length. */
const anyKey = fc
  .array(fc.constantFrom(0, 1, 2, 255), { minLength: 5, maxLength: 5 })
  .map((bytes) => Uint8Array.from(bytes));
const anyChange = fc.record({ key: anyKey, value: fc.option(fc.nat({ max: 3 }), { nil: undefined, freq: 3 }) });
const anySteps = fc.array(
  fc.record({
    changes: fc.uniqueArray(anyChange, { selector: ({ key }) => toHex(key), maxLength: 16 }),
    /** Which checkpoint the changes begin at: the newest, or one before. */
    back: fc.nat({ max: 2 }),
  }),
  { maxLength: 7 },
);

function leafHash(value: number): Uint8Array {
  return blake2b256(Uint8Array.of(value));
}

/** A leaf is known by its hash; its bytes need be no leaf of a space. */
const leafItems = [0, 1, 2, 3].map((value) => ({ key: leafHash(value), value: Uint8Array.of(value) }));

export const radixTree = propertyTarget({
  name: "radix-tree",
  about: "a tree holds what a Map holds, its root is that of the content alone, old roots stay, proofs are right",
  cost: "expensive",
  files: ["tuplespace/history/", "tuplespace/proof/"],
  values: anySteps,
  check: (steps) => {
    const store = memoryStateStore();
    const states: { readonly root: Uint8Array; readonly content: ReadonlyMap<string, Uint8Array> }[] = [
      { root: emptyRoot, content: new Map() },
    ];
    for (const { changes, back } of steps) {
      const { root, content } = states[Math.max(0, states.length - 1 - back)]!;
      const actions = changes.map(({ key, value }) => ({
        key,
        value: value === undefined ? undefined : leafHash(value),
      }));
      const updated = updateTree(store, root, actions);
      must(
        toHex(updateTree(store, root, actions.toReversed()).root) === toHex(updated.root),
        "the order of changes is free",
      );
      const nodes = updated.newNodes.map(({ hash, node }) => ({ key: hash, value: node.bytes }));
      store.putItems(nodes, leafItems);
      const next = new Map(content);
      for (const { key, value } of actions) {
        if (value === undefined) next.delete(toHex(key));
        else next.set(toHex(key), value);
      }
      states.push({ root: updated.root, content: next });
    }
    for (const state of states) checkState(store, state.root, state.content);
  },
});

function checkState(
  store: ReturnType<typeof memoryStateStore>,
  root: Uint8Array,
  content: ReadonlyMap<string, Uint8Array>,
): void {
  const leaves = [...content].map(([key, value]) => [Uint8Array.from(Buffer.from(key, "hex")), value] as const);
  must(toHex(buildTree(leaves).root) === toHex(root), "the root is that of the content alone");
  const node = store.rootNode(root);
  for (const [key, value] of leaves) {
    const found = findLeaf(store, node, key);
    must(found !== undefined && toHex(found) === toHex(value), "what was put in is found");
  }
  for (const [key] of leaves.slice(0, 2)) {
    const other = key.slice();
    other[4] = 7;
    must(findLeaf(store, node, other) === undefined, "what was not put in is not found");
    const absent = verifyProof(root, other, proveKey(store, root, other), rnodeSpace);
    must(absent === undefined, "an absent key is proved to be absent");
    const leaf = verifyProof(root, key, proveKey(store, root, key), rnodeSpace);
    must(leaf !== undefined && toHex(blake2b256(leaf)) === toHex(content.get(toHex(key))!), "a key's leaf is proved");
  }
}

/** Nodes as a peer may send them. */
export const radixNode: Target = {
  name: "radix-node",
  about: "bytes are a node of the tree that is read item by item, or refused with a HistoryError",
  cost: "cheap",
  files: ["tuplespace/history/RadixNode.js"],
  maxBytes: 400,
  *seeds() {
    const leaves = ["00", "01", "ff"].map((byte) => [Buffer.from(byte.repeat(5), "hex"), leafHash(1)] as const);
    for (const { node } of buildTree(leaves).newNodes) yield node.bytes;
  },
  run(input) {
    let node: RadixNode;
    try {
      node = new RadixNode(input);
    } catch (error) {
      refusedAs(error, HistoryError);
      return;
    }
    let count = 0;
    for (let index = 0; index < 256; index += 1) {
      const offset = node.offsetOf(index);
      if (offset < 0) continue;
      count += 1;
      must(node.targetAt(offset).length === 32, "an item has a hash");
      must(node.prefixAt(offset).length === node.prefixLengthAt(offset), "an item has its prefix");
    }
    must(count === node.count, "a node has as many items as it states");
  },
  show: toHex,
};
