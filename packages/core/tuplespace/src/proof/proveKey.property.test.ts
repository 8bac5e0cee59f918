import { blake2b256, toHex } from "@vedette/crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { rnodeSpace } from "../form/rnodeSpace.js";
import { HistoryError } from "../history/HistoryError.js";
import { memoryStateStore } from "../history/memoryStateStore.js";
import { emptyRoot } from "../history/updateTree.js";
import { buildTree } from "../testing/buildTree.js";
import { ProofError } from "./ProofError.js";
import { proveKey, verifyProof } from "./proveKey.js";

const anyKey = fc
  .array(fc.constantFrom(0, 1, 255), { minLength: 4, maxLength: 4 })
  .map((bytes) => Uint8Array.from(bytes));
const anyKeys = fc.uniqueArray(anyKey, { selector: toHex, maxLength: 30 });

/** A state that holds at each key the key itself as its leaf. */
function stateOf(keys: readonly Uint8Array[]) {
  const store = memoryStateStore();
  const { root, newNodes } = buildTree(keys.map((key) => [key, blake2b256(key)] as const));
  store.putItems(
    newNodes.map(({ hash, node }) => ({ key: hash, value: node.bytes })),
    keys.map((key) => ({ key: blake2b256(key), value: key })),
  );
  return { store, root };
}

test("a proof shows what is at a key, and what is not", () => {
  fc.assert(
    fc.property(anyKeys, anyKey, (keys, asked) => {
      const { store, root } = stateOf(keys);
      const isPresent = keys.some((key) => toHex(key) === toHex(asked));
      expect(verifyProof(root, asked, proveKey(store, root, asked), rnodeSpace)).toEqual(isPresent ? asked : undefined);
    }),
  );
});

test("a proof that was tampered with is refused", () => {
  fc.assert(
    fc.property(
      anyKeys,
      anyKey,
      fc.nat(),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (keys, asked, at, byte, flip) => {
        const { store, root } = stateOf(keys);
        const proof = proveKey(store, root, asked);
        const parts = [...proof.nodes, ...(proof.leaf === undefined ? [] : [proof.leaf])];
        fc.pre(parts.length > 0);
        const changed = parts.map((part) => part.slice());
        const part = changed[at % changed.length]!;
        part[byte % part.length] = part[byte % part.length]! ^ flip;
        const leaf = proof.leaf === undefined ? undefined : changed.at(-1);
        const nodes = changed.slice(0, proof.nodes.length);
        expect(() => verifyProof(root, asked, { nodes, leaf }, rnodeSpace)).toThrow(ProofError);
        expect(() =>
          verifyProof(root, asked, { nodes: proof.nodes.slice(0, -1), leaf: proof.leaf }, rnodeSpace),
        ).toThrow(ProofError);
        expect(() =>
          verifyProof(root, asked, { nodes: proof.nodes, leaf: leaf === undefined ? asked : undefined }, rnodeSpace),
        ).toThrow(ProofError);
      },
    ),
  );
});

test("the empty state is proved by nothing", () => {
  const { store } = stateOf([]);
  const proof = proveKey(store, emptyRoot, Uint8Array.of(1));
  expect(proof).toEqual({ nodes: [], leaf: undefined });
  expect(verifyProof(emptyRoot, Uint8Array.of(1), proof, rnodeSpace)).toBeUndefined();
  expect(() => verifyProof(blake2b256(emptyRoot), Uint8Array.of(1), proof, rnodeSpace)).toThrow(ProofError);
});

test("what is not in the store is not proved to be absent", () => {
  const { store } = stateOf([]);
  expect(() => proveKey(store, blake2b256(emptyRoot), Uint8Array.of(1))).toThrow(HistoryError);
});
