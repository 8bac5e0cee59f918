import { blake2b256, emptyBytes, equalBytes } from "@vedette/crypto";
import { keyLength } from "./StateProof.js";
import { badForm, StateProofError } from "./StateProofError.js";

const headerLength = 2;
const hashLength = 32;
const pointerFlag = 0x80;

/** Where a node leads for a key. */
interface Step {
  readonly target: Uint8Array;
  readonly isLeaf: boolean;
  /** Bytes of the key that are used up. */
  readonly depth: number;
}

/**
 * Goes from a root along the nodes of a proof, each of which must have the hash that the one before names.
 *
 * @returns the hash of the key's leaf; `undefined` where the nodes show that the key is absent
 * @spec 30 §5.2, §5.4, §10.1
 * @throws {StateProofError}
 */
export function followNodes(root: Uint8Array, key: Uint8Array, nodes: readonly Uint8Array[]): Uint8Array | undefined {
  if (key.length !== keyLength) throw new RangeError(`A key has ${keyLength} bytes`);
  if (nodes.length === 0) {
    requireHash(emptyBytes, root, "root");
    return undefined;
  }
  let expected = root;
  let depth = 0;
  for (const [index, node] of nodes.entries()) {
    // The empty tree has no node: it is shown in one way only.
    if (node.length === 0) throw badForm(`nodes[${index}]`, "is empty");
    requireHash(node, expected, `nodes[${index}]`);
    const step = follow(node, key, depth, index);
    const isLast = index === nodes.length - 1;
    if (step === undefined || step.isLeaf) {
      if (!isLast) throw new StateProofError({ code: "superfluous", field: "nodes" });
      return step?.target;
    }
    if (isLast) break;
    expected = step.target;
    depth = step.depth;
  }
  throw new StateProofError({ code: "cutOff" });
}

/** @throws {StateProofError} `hash` */
export function requireHash(bytes: Uint8Array, expected: Uint8Array, field: string): void {
  if (!equalBytes(blake2b256(bytes), expected)) throw new StateProofError({ code: "hash", field, expected });
}

/** The whole node is read, so that one index cannot occur there twice. */
function follow(node: Uint8Array, key: Uint8Array, depth: number, at: number): Step | undefined {
  const seen = new Uint8Array(256);
  let found = -1;
  let offset = 0;
  while (offset < node.length) {
    const end = offset + headerLength + ((node[offset + 1] ?? 0) & ~pointerFlag) + hashLength;
    if (end > node.length) throw badForm(`nodes[${at}]`, `is cut off at byte ${offset}`);
    const index = node[offset]!;
    if (seen[index] !== 0) throw badForm(`nodes[${at}]`, `has two items with index ${index}`);
    seen[index] = 1;
    if (index === key[depth]) found = offset;
    offset = end;
  }
  return found < 0 ? undefined : stepAt(node, found, key, depth + 1);
}

function stepAt(node: Uint8Array, offset: number, key: Uint8Array, from: number): Step | undefined {
  const kind = node[offset + 1]!;
  const prefixStart = offset + headerLength;
  const prefixEnd = prefixStart + (kind & ~pointerFlag);
  const depth = from + prefixEnd - prefixStart;
  if (depth > key.length || !equalBytes(node.subarray(prefixStart, prefixEnd), key.subarray(from, depth)))
    return undefined;
  const isLeaf = (kind & pointerFlag) === 0;
  // A leaf must use the key up, a pointer must not.
  if (isLeaf !== (depth === key.length)) return undefined;
  return { target: node.subarray(prefixEnd, prefixEnd + hashLength), isLeaf, depth };
}
