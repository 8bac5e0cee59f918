import { emptyNode } from "../history/RadixNode.js";
import { emptyRoot, type HistoryAction, type NewNode, updateTree } from "../history/updateTree.js";

/**
 * Builds the tree of a whole set of keys and values.
 *
 * @spec 30 §5.3
 * @param leaves key → value (32 bytes); keys are distinct and of one length, in any order
 * @returns the root and every node below it; of no leaves, the empty root and no nodes
 * @throws {HistoryError} `duplicateAction`, `keyTooShort`
 */
export function buildTree(leaves: readonly (readonly [Uint8Array, Uint8Array])[]): {
  readonly root: Uint8Array;
  readonly newNodes: readonly NewNode[];
} {
  const actions: HistoryAction[] = leaves.map(([key, value]) => ({ key, value }));
  return updateTree({ node: () => emptyNode, rootNode: () => emptyNode }, emptyRoot, actions);
}
