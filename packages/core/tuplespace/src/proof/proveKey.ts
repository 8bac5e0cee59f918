import { blake2b256, emptyBytes, equalBytes } from "@vedette/crypto";
import type { SpaceDialect } from "../form/SpaceDialect.js";
import { HistoryError } from "../history/HistoryError.js";
import { RadixNode } from "../history/RadixNode.js";
import type { StateStore } from "../history/StateStore.js";
import { emptyRoot } from "../history/updateTree.js";
import { isLeafOf } from "../leaf/isLeafOf.js";
import { ProofError } from "./ProofError.js";

/** Proves, to a reader that trusts a root, the value of a state at a key, or that the key has no value. */
export interface KeyProof {
  /** Encodings of the nodes on the way, the root first; none where the root is the empty tree. */
  readonly nodes: readonly Uint8Array[];
  /** The leaf's bytes; absent when the key is. */
  readonly leaf: Uint8Array | undefined;
}

type LeafForm = Pick<SpaceDialect, "leafHash" | "uncoveredKind">;

/** Longer than any way through the tree. */
const maxNodes = 128;

/**
 * Collects the way from the root to a key.
 *
 * @spec 30 §5.2, §5.4
 * @throws {HistoryError} `nodeMissing`, `nodeMalformed`, `leafMissing`
 */
export function proveKey(store: StateStore, root: Uint8Array, key: Uint8Array): KeyProof {
  const nodes: Uint8Array[] = [];
  // A state that is not in the store must not look like the empty one.
  if (equalBytes(root, emptyRoot)) return { nodes, leaf: undefined };
  let node = store.node(root);
  for (let depth = 0; ; ) {
    nodes.push(node.bytes);
    const step = follow(node, key, depth);
    if (step === undefined) return { nodes, leaf: undefined };
    if (step.isLeaf) {
      const leaf = store.leafBytes(step.target);
      if (leaf === undefined) throw new HistoryError({ code: "leafMissing", hash: step.target });
      return { nodes, leaf };
    }
    depth = step.depth;
    node = store.node(step.target);
  }
}

/**
 * Checks a proof; nothing but the root has to be trusted.
 *
 * @param form of the network
 * @returns the leaf's bytes, or `undefined` when the proof shows that the key is absent
 * @spec 30 §5.2, §5.4
 * @throws {ProofError}
 */
export function verifyProof(
  root: Uint8Array,
  key: Uint8Array,
  proof: KeyProof,
  form: LeafForm,
): Uint8Array | undefined {
  const { nodes, leaf } = proof;
  if (nodes.length > maxNodes) throw new ProofError({ code: "tooLong", nodes: nodes.length });
  if (nodes.length === 0) {
    requireHash(emptyBytes, root, "root");
    if (leaf !== undefined) throw new ProofError({ code: "superfluous" });
    return undefined;
  }
  let expected = root;
  let depth = 0;
  for (const [index, bytes] of nodes.entries()) {
    requireHash(bytes, expected, index === 0 ? "root" : "node");
    const step = follow(decode(bytes), key, depth);
    const isLast = index === nodes.length - 1;
    if (step === undefined || step.isLeaf) {
      if (!isLast) throw new ProofError({ code: "superfluous" });
      return endOfProof(step?.target, leaf, { form, firstByte: key[0]! });
    }
    if (isLast) throw new ProofError({ code: "cutOff" });
    expected = step.target;
    depth = step.depth;
  }
  throw new ProofError({ code: "cutOff" });
}

function endOfProof(
  target: Uint8Array | undefined,
  leaf: Uint8Array | undefined,
  { form, firstByte }: { readonly form: LeafForm; readonly firstByte: number },
): Uint8Array | undefined {
  if (target === undefined) {
    if (leaf !== undefined) throw new ProofError({ code: "superfluous" });
    return undefined;
  }
  if (leaf === undefined) throw new ProofError({ code: "cutOff" });
  if (!equalBytes(form.leafHash(leaf), target)) throw new ProofError({ code: "hash", what: "leaf", expected: target });
  if (!isLeafOf(form, leaf, firstByte)) throw new ProofError({ code: "otherKind" });
  return leaf;
}

interface Step {
  readonly target: Uint8Array;
  readonly isLeaf: boolean;
  readonly depth: number;
}

/** Where a node leads for a key, or `undefined` where the key is absent. */
function follow(node: RadixNode, key: Uint8Array, depth: number): Step | undefined {
  const index = key[depth];
  const offset = index === undefined ? -1 : node.offsetOf(index);
  if (offset < 0 || !node.prefixMatches(offset, key, depth + 1)) return undefined;
  const next = depth + 1 + node.prefixLengthAt(offset);
  const isLeaf = !node.isPointerAt(offset);
  // A leaf must use the key up, a pointer must not.
  return isLeaf === (next === key.length) ? { target: node.targetAt(offset), isLeaf, depth: next } : undefined;
}

function requireHash(bytes: Uint8Array, expected: Uint8Array, what: "root" | "node"): void {
  if (!equalBytes(blake2b256(bytes), expected)) throw new ProofError({ code: "hash", what, expected });
}

function decode(bytes: Uint8Array): RadixNode {
  try {
    return new RadixNode(bytes);
  } catch (cause) {
    throw new ProofError({ code: "malformed" }, { cause });
  }
}
