import type { RadixNode } from "./RadixNode.js";
import type { NodeReader } from "./updateTree.js";

/**
 * Reads the value of a key.
 *
 * @spec 30 §5.4
 * @param rootNode the node of the root, which the caller keeps at hand
 * @returns the value (32 bytes), or `undefined` where the key is absent
 * @throws {HistoryError} `nodeMissing`, `nodeMalformed`
 * @cost one node read per level
 */
export function findLeaf(nodes: NodeReader, rootNode: RadixNode, key: Uint8Array): Uint8Array | undefined {
  return findLeafAt(nodes, rootNode, key, 0);
}

/**
 * As {@link findLeaf}, from a node on that lies below the first bytes of the key.
 *
 * @spec 30 §5.4
 */
export function findLeafAt(
  nodes: NodeReader,
  start: RadixNode,
  key: Uint8Array,
  startDepth: number,
): Uint8Array | undefined {
  let node = start;
  let depth = startDepth;
  while (depth < key.length) {
    const offset = node.offsetOf(key[depth]!);
    if (offset < 0 || !node.prefixMatches(offset, key, depth + 1)) return undefined;
    depth += 1 + node.prefixLengthAt(offset);
    const target = node.targetAt(offset);
    if (!node.isPointerAt(offset)) return depth === key.length ? target : undefined;
    node = nodes.node(target);
  }
  return undefined;
}
