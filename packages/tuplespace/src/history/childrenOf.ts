import { RadixNode } from "./RadixNode.js";

/** The hashes of what a node points to, 32 bytes each. */
export interface NodeChildren {
  readonly nodes: readonly Uint8Array[];
  readonly leaves: readonly Uint8Array[];
}

/** What stands below a node. @param bytes its encoding @throws {HistoryError} `nodeMalformed` @spec 30 §5.1, §5.2 */
export function childrenOf(bytes: Uint8Array): NodeChildren {
  const node = new RadixNode(bytes);
  const nodes: Uint8Array[] = [];
  const leaves: Uint8Array[] = [];
  for (let index = 0; index < branches; index += 1) {
    const offset = node.offsetOf(index);
    if (offset >= 0) (node.isPointerAt(offset) ? nodes : leaves).push(node.targetAt(offset).slice());
  }
  return { nodes, leaves };
}

const branches = 256;
