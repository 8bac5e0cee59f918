import type { RadixNode } from "./RadixNode.js";

/** The hashes of what a node points to, 32 bytes each: views of its encoding, in the order of that. */
export interface NodeChildren {
  readonly nodes: readonly Uint8Array[];
  readonly leaves: readonly Uint8Array[];
}

/** The next byte of the keys below a node, for each child of {@link childrenOf}, in its order. @spec 30 §5.1 */
export function nextBytesOf(node: RadixNode): {
  readonly nodes: readonly number[];
  readonly leaves: readonly number[];
} {
  const nodes: number[] = [];
  const leaves: number[] = [];
  for (let offset = 0; offset < node.bytes.length; offset = node.endOf(offset))
    (node.isPointerAt(offset) ? nodes : leaves).push(node.bytes[offset]!);
  return { nodes, leaves };
}

/**
 * Returns the nodes and leaves directly below a node.
 *
 * @spec 30 §5.1, §5.2
 * @cost grows with the number of items
 */
export function childrenOf(node: RadixNode): NodeChildren {
  const nodes: Uint8Array[] = [];
  const leaves: Uint8Array[] = [];
  for (let offset = 0; offset < node.bytes.length; offset = node.endOf(offset))
    (node.isPointerAt(offset) ? nodes : leaves).push(node.targetAt(offset));
  return { nodes, leaves };
}
