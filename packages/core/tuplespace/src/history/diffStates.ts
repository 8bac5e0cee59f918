import { hashKey } from "@vedette/protocol";
import { childrenOf } from "./childrenOf.js";
import { HistoryError } from "./HistoryError.js";
import type { RadixNode } from "./RadixNode.js";
import { emptyRoot, type NewNode, type NodeReader } from "./updateTree.js";

/** Nodes of a state, and its leaves by their hashes. */
export interface StateParts {
  readonly nodes: readonly NewNode[];
  readonly leaves: readonly Uint8Array[];
  /** The first bytes of their keys, in the same order. */
  readonly firstBytes: readonly number[];
}

type Nodes = Pick<NodeReader, "node">;

/** A node that may be new, and the earlier one in its place. */
interface Place {
  readonly hash: Uint8Array;
  readonly before: Uint8Array | undefined;
  readonly isLeafBefore: boolean;
  /** The first byte of all keys below; at the root they differ. */
  readonly firstByte: number | undefined;
}

/**
 * The nodes and leaves that a state has and an earlier one lacks. A node with the earlier state needs no others.
 *
 * Both trees are walked together, and what has the same hash in the same place is left out with all that is below. What
 * has moved from elsewhere in the tree may be named although the earlier state has it too.
 *
 * @param maxNodes that may be new
 * @returns nodes before what is below them; the hashes of leaves, each once
 * @throws {HistoryError} `nodeMissing`: one of the states is not whole; `nodeMalformed`; `tooManyNodes`
 * @spec 30 §5.1, §5.2
 * @cost grows with what is new
 */
export function diffStates(
  states: Nodes,
  root: Uint8Array,
  before: Uint8Array,
  maxNodes = Number.POSITIVE_INFINITY,
): StateParts {
  const nodes: NewNode[] = [];
  const leaves = new Map<string, { readonly hash: Uint8Array; readonly firstByte: number }>();
  const seen = new Set([hashKey(emptyRoot)]);
  const pending: Place[] = [{ hash: root, before, isLeafBefore: false, firstByte: undefined }];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const key = hashKey(place.hash);
    if (seen.has(key)) continue;
    const old = oldNode(states, place);
    const known = knownIn(place, old);
    if (known.has(key)) continue;
    seen.add(key);
    if (nodes.length >= maxNodes) throw new HistoryError({ code: "tooManyNodes", most: maxNodes });
    const node = states.node(place.hash);
    nodes.push({ hash: place.hash, node, before: old === undefined ? undefined : place.before });
    for (let index = 0; index < 256; index += 1) {
      const offset = node.offsetOf(index);
      if (offset < 0) continue;
      const target = node.targetAt(offset);
      const targetKey = hashKey(target);
      if (known.has(targetKey)) continue;
      const firstByte = place.firstByte ?? index;
      if (!node.isPointerAt(offset)) leaves.set(targetKey, { hash: target, firstByte });
      else {
        const oldOffset = old?.offsetOf(index) ?? -1;
        const isLeafBefore = oldOffset >= 0 && !old!.isPointerAt(oldOffset);
        const stoodThere = oldOffset < 0 ? undefined : old!.targetAt(oldOffset);
        pending.push({ hash: target, before: stoodThere, isLeafBefore, firstByte });
      }
    }
  }
  const found = [...leaves.values()];
  return { nodes, leaves: found.map(({ hash }) => hash), firstBytes: found.map(({ firstByte }) => firstByte) };
}

function oldNode(states: Nodes, { before, isLeafBefore }: Place): RadixNode | undefined {
  if (before === undefined || isLeafBefore || hashKey(before) === hashKey(emptyRoot)) return undefined;
  return states.node(before);
}

/**
 * Returns the earlier nodes in a place, and right below it: a node comes one deeper or higher when a neighbour comes or
 * goes.
 */
function knownIn({ before }: Place, old: RadixNode | undefined): ReadonlySet<string> {
  const known = new Set<string>();
  if (before !== undefined) known.add(hashKey(before));
  if (old === undefined) return known;
  const below = childrenOf(old);
  for (const hash of below.nodes) known.add(hashKey(hash));
  for (const hash of below.leaves) known.add(hashKey(hash));
  return known;
}
