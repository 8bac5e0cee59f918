import { hashKey } from "@vedette/protocol";
import type { StateStore } from "../history/StateStore.js";
import { isLeafOf } from "../leaf/isLeafOf.js";
import { StatePageError } from "./StatePageError.js";

/** A node to look at. */
interface Place {
  readonly hash: Uint8Array;
  readonly depth: number;
  /** First byte of the keys below it; the root has those of all. */
  readonly firstByte: number | undefined;
}

/** The parts of a state that a store lacks. */
export interface MissingItems {
  /**
   * Nodes that are absent, or that have an absent leaf right below them. A request for `[(hash, none)]` returns all
   * pieces below.
   */
  readonly nodes: readonly Uint8Array[];
  /** Nodes that were looked at. */
  readonly visitedNodes: number;
  /** Whether there may be more than is listed. */
  readonly isCut: boolean;
}

/**
 * Looks through a whole state for what is absent: after it was copied, to know that it is complete, and before
 * copying, to go on where it was broken off. A leaf that is of another kind than its place is absent.
 *
 * @spec 30 §6.7(1), §6.7(5)
 * @throws {HistoryError} `nodeMalformed`; {StatePageError} `badPath` for a tree that is too deep, or has few nodes in
 *   very many places, as no tree has whose keys are hashes
 * @cost reads every node and looks every leaf up
 */
export function findMissing(store: StateStore, root: Uint8Array, maxListed = 100): MissingItems {
  const missing = new Map<string, Uint8Array>();
  const pending: Place[] = [{ hash: root, depth: 0, firstByte: undefined }];
  let visitedNodes = 0;
  const most = store.maxPlaces;
  while (pending.length > 0 && missing.size < maxListed) {
    const { hash, depth, firstByte: above } = pending.pop()!;
    if (depth > 128) throw new StatePageError({ code: "badPath", detail: "the tree is too deep" });
    visitedNodes += 1;
    if (visitedNodes > most)
      throw new StatePageError({ code: "badPath", detail: "the tree has the same nodes again and again" });
    const node = store.findNode(hash);
    if (node === undefined) {
      missing.set(hashKey(hash), hash.slice());
      continue;
    }
    for (let index = 255; index >= 0; index -= 1) {
      const offset = node.offsetOf(index);
      if (offset < 0) continue;
      const target = node.targetAt(offset);
      const firstByte = above ?? index;
      if (node.isPointerAt(offset))
        pending.push({ hash: target, depth: depth + 1 + node.prefixLengthAt(offset), firstByte });
      else if (!hasLeafOf(store, target, firstByte)) missing.set(hashKey(hash), hash.slice());
    }
  }
  return { nodes: [...missing.values()], visitedNodes, isCut: missing.size >= maxListed };
}

function hasLeafOf(store: StateStore, hash: Uint8Array, firstByte: number): boolean {
  if (store.form.uncoveredKind === undefined) return store.hasLeaf(hash);
  const bytes = store.leafBytes(hash);
  return bytes !== undefined && isLeafOf(store.form, bytes, firstByte);
}
