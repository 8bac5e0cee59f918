import { hashKey } from "@vedette/protocol";
import type { StateStore } from "../history/StateStore.js";
import { TransferError } from "./TransferError.js";

/** What a state lacks in a store. */
export interface MissingItems {
  /**
   * Nodes that are absent, or that have an absent leaf right below them. Asking for `[(hash, none)]` brings all
   * that lies below.
   */
  readonly nodes: readonly Uint8Array[];
  /** Nodes that were looked at. */
  readonly visitedNodes: number;
  /** Whether there may be more than is listed. */
  readonly isCut: boolean;
}

/**
 * Looks through a whole state for what is absent: after a transfer, to know that it is complete, and before
 * one, to go on where an earlier one was broken off.
 *
 * @spec 30 §6.7(1), §6.7(5)
 * @throws {HistoryError} `nodeMalformed`; {TransferError} `badPath` for a tree that is too deep
 * @cost reads every node and looks every leaf up
 */
export function findMissing(store: StateStore, root: Uint8Array, mostListed = 100): MissingItems {
  const missing = new Map<string, Uint8Array>();
  const pending: { readonly hash: Uint8Array; readonly depth: number }[] = [{ hash: root, depth: 0 }];
  let visitedNodes = 0;
  while (pending.length > 0 && missing.size < mostListed) {
    const { hash, depth } = pending.pop()!;
    if (depth > 128) throw new TransferError({ code: "badPath", detail: "the tree is too deep" });
    visitedNodes += 1;
    const node = store.findNode(hash);
    if (node === undefined) {
      missing.set(hashKey(hash), hash.slice());
      continue;
    }
    for (let index = 255; index >= 0; index -= 1) {
      const offset = node.offsetOf(index);
      if (offset < 0) continue;
      const target = node.targetAt(offset);
      if (node.isPointerAt(offset)) pending.push({ hash: target, depth: depth + 1 + node.prefixLengthAt(offset) });
      else if (!store.hasLeaf(target)) missing.set(hashKey(hash), hash.slice());
    }
  }
  return { nodes: [...missing.values()], visitedNodes, isCut: missing.size >= mostListed };
}
