import { RadixNode } from "./RadixNode.js";

/** The hashes of the nodes below a node. @param bytes its encoding @throws {HistoryError} `nodeMalformed` @spec 30 §5.1, §5.2 */
export function childNodes(bytes: Uint8Array): Uint8Array[] {
  const node = new RadixNode(bytes);
  const children: Uint8Array[] = [];
  for (let index = 0; index < branches; index += 1) {
    const offset = node.offsetOf(index);
    if (offset >= 0 && node.isPointerAt(offset)) children.push(node.targetAt(offset).slice());
  }
  return children;
}

const branches = 256;
