import { blake2b256 } from "@vedette/crypto";
import { hashKey } from "@vedette/protocol";
import { decodeBincodeJoin, decodeBincodeLeaf } from "../../bincode/bincodeLeaf.js";
import { findLeaf } from "../../history/findLeaf.js";
import { HistoryError } from "../../history/HistoryError.js";
import type { StateStore } from "../../history/StateStore.js";
import { continuationsKey, dataKey, joinsKey } from "../../leaf/historyKey.js";
import { LeafError, type LeafKind } from "../../leaf/LeafError.js";

/** A state as merging sees it: encoded items by the hashes of channels. @spec 61 §2.2, §12.7 */
export interface ItemState {
  data(channelHash: Uint8Array): readonly Uint8Array[];
  continuations(channelsHash: Uint8Array): readonly Uint8Array[];
  joins(channelHash: Uint8Array): readonly JoinItem[];
}

/** A join, encoded. */
export interface JoinItem {
  readonly encoding: Uint8Array;
  /** Hashes of its channels, in the order of the binds. */
  readonly channelHashes: readonly Uint8Array[];
}

const none: readonly never[] = [];

/**
 * A state of f1r3node in a store. Read items are cached: for one merge, one block.
 *
 * Its methods throw {@link HistoryError} and {@link LeafError} where the state on disk is damaged or not whole.
 */
export class StoredItems implements ItemState {
  private readonly store: Pick<StateStore, "node" | "rootNode" | "leafBytes">;
  private readonly known = new Map<string, readonly Uint8Array[]>();
  readonly root: Uint8Array;

  constructor(store: Pick<StateStore, "node" | "rootNode" | "leafBytes">, root: Uint8Array) {
    this.store = store;
    this.root = root;
  }

  data(channelHash: Uint8Array): readonly Uint8Array[] {
    return this.itemsAt(dataKey(channelHash), "data");
  }

  continuations(channelsHash: Uint8Array): readonly Uint8Array[] {
    return this.itemsAt(continuationsKey(channelsHash), "continuations");
  }

  joins(channelHash: Uint8Array): readonly JoinItem[] {
    return this.itemsAt(joinsKey(channelHash), "joins").map((encoding) => ({
      encoding,
      channelHashes: joinHashes(encoding),
    }));
  }

  private itemsAt(key: Uint8Array, wanted: LeafKind): readonly Uint8Array[] {
    const name = hashKey(key);
    let items = this.known.get(name);
    if (items === undefined) this.known.set(name, (items = this.readItems(key, wanted)));
    return items;
  }

  private readItems(key: Uint8Array, wanted: LeafKind): readonly Uint8Array[] {
    const hash = findLeaf(this.store, this.store.rootNode(this.root), key);
    if (hash === undefined) return none;
    const bytes = this.store.leafBytes(hash);
    if (bytes === undefined) throw new HistoryError({ code: "leafMissing", hash });
    const { kind, items } = decodeBincodeLeaf(bytes);
    if (kind !== wanted) throw new LeafError({ code: "unexpectedKind", wanted, found: kind, key });
    return items;
  }
}

/** The hashes of a join's channels. */
export function joinHashes(join: Uint8Array): Uint8Array[] {
  return decodeBincodeJoin(join).map((channel) => blake2b256(channel));
}
