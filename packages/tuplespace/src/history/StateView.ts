import type { Datum } from "../leaf/Datum.js";
import { continuationsKey, dataKey, joinsKey } from "../leaf/historyKey.js";
import type { Join } from "../leaf/Join.js";
import type { Leaf } from "../leaf/Leaf.js";
import { LeafError, type LeafKind } from "../leaf/LeafError.js";
import type { WaitingContinuation } from "../leaf/WaitingContinuation.js";
import { findLeaf } from "./findLeaf.js";
import type { RadixNode } from "./RadixNode.js";
import type { StateStore } from "./StateStore.js";

const none: readonly never[] = [];

/**
 * One whole state, read by the hashes of channels. Nothing in it ever changes.
 *
 * @spec 30 §1.2 (history value), §4.2, §4.6
 */
export class StateView {
  private readonly top: RadixNode;

  constructor(
    private readonly store: StateStore,
    readonly root: Uint8Array,
  ) {
    this.top = store.rootNode(root);
  }

  /** @throws {LeafError}, {HistoryError} when the state on disk is damaged */
  data(channelHash: Uint8Array): readonly Datum[] {
    return this.leafAt(dataKey(channelHash), "data")?.data ?? none;
  }

  /** @throws {LeafError}, {HistoryError} when the state on disk is damaged */
  continuations(channelsHash: Uint8Array): readonly WaitingContinuation[] {
    return this.leafAt(continuationsKey(channelsHash), "continuations")?.continuations ?? none;
  }

  /** @throws {LeafError}, {HistoryError} when the state on disk is damaged */
  joins(channelHash: Uint8Array): readonly Join[] {
    return this.leafAt(joinsKey(channelHash), "joins")?.joins ?? none;
  }

  private leafAt(key: Uint8Array, wanted: LeafKind): Leaf | undefined {
    const hash = findLeaf(this.store, this.top, key);
    if (hash === undefined) return undefined;
    const leaf = this.store.leaf(hash);
    if (leaf.kind !== wanted) throw new LeafError({ code: "unexpectedKind", wanted, found: leaf.kind, key });
    return leaf;
  }
}
