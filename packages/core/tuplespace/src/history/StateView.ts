import { emptyBytes, equalBytes } from "@vedette/crypto";
import type { Datum } from "../leaf/Datum.js";
import { continuationsKey, dataKey, joinsKey } from "../leaf/historyKey.js";
import type { Join } from "../leaf/Join.js";
import type { Leaf } from "../leaf/Leaf.js";
import { LeafError, type LeafKind } from "../leaf/LeafError.js";
import type { WaitingContinuation } from "../leaf/WaitingContinuation.js";
import { findLeafAt } from "./findLeaf.js";
import type { RadixNode } from "./RadixNode.js";
import type { NodeReader } from "./updateTree.js";

const none: readonly never[] = [];
const noHash = emptyBytes;

/** A look into a state, and what was there: the hash of a leaf, or nothing. */
export interface StateRead {
  readonly kind: LeafKind;
  /** The hash of a channel, or of a list of channels for continuations. */
  readonly hash: Uint8Array;
  readonly leaf: Uint8Array | undefined;
}

/** Where the nodes and leaves of states are read. */
export interface StateNodeReader extends NodeReader {
  /** @throws {HistoryError} `leafMissing`; {LeafError} `corrupted` */
  leaf(hash: Uint8Array): Leaf;
}

/**
 * One whole state, read by the hashes of channels. Nothing in it ever changes.
 *
 * @spec 30 §1.2 (history value), §4.2, §4.6
 */
export class StateView {
  private readonly dataTop: Top;
  private readonly continuationsTop: Top;
  private readonly joinsTop: Top;

  /** @param reads collects every read of the state */
  constructor(
    private readonly store: StateNodeReader,
    readonly root: Uint8Array,
    private readonly reads?: StateRead[],
  ) {
    const rootNode = store.rootNode(root);
    this.dataTop = new Top(store, rootNode, dataKey);
    this.continuationsTop = new Top(store, rootNode, continuationsKey);
    this.joinsTop = new Top(store, rootNode, joinsKey);
  }

  /** @throws {LeafError}, {HistoryError} when the state on disk is damaged */
  data(channelHash: Uint8Array): readonly Datum[] {
    return this.leafAt(this.dataTop, channelHash, "data")?.data ?? none;
  }

  /** @throws {LeafError}, {HistoryError} when the state on disk is damaged */
  continuations(channelsHash: Uint8Array): readonly WaitingContinuation[] {
    return this.leafAt(this.continuationsTop, channelsHash, "continuations")?.continuations ?? none;
  }

  /** @throws {LeafError}, {HistoryError} when the state on disk is damaged */
  joins(channelHash: Uint8Array): readonly Join[] {
    return this.leafAt(this.joinsTop, channelHash, "joins")?.joins ?? none;
  }

  /** Whether the same read gives the same result here. @throws {HistoryError} when the state on disk is damaged */
  agrees({ kind, hash, leaf }: StateRead): boolean {
    const top = kind === "data" ? this.dataTop : kind === "joins" ? this.joinsTop : this.continuationsTop;
    const found = top.find(hash);
    return found === undefined || leaf === undefined ? found === leaf : equalBytes(found, leaf);
  }

  private leafAt(top: Top, hash: Uint8Array, wanted: LeafKind): Leaf | undefined {
    const leafHash = top.find(hash);
    this.reads?.push({ kind: wanted, hash, leaf: leafHash });
    if (leafHash === undefined) return undefined;
    const leaf = this.store.leaf(leafHash);
    if (leaf.kind === wanted) return leaf;
    throw new LeafError({ code: "unexpectedKind", wanted, found: leaf.kind, key: top.keyOf(hash) });
  }
}

/**
 * The upper part of the tree for one kind of keys. Most keys that a block reads are absent, being new names; the two
 * uppermost levels are cached for them.
 */
class Top {
  /** The node below the root, if the kind has one to itself without a prefix. */
  private readonly node: RadixNode | undefined;
  private readonly children: (RadixNode | undefined)[] = [];

  constructor(
    private readonly store: StateNodeReader,
    private readonly rootNode: RadixNode,
    readonly keyOf: (hash: Uint8Array) => Uint8Array,
  ) {
    const offset = rootNode.offsetOf(keyOf(noHash)[0]!);
    const isPlain = offset >= 0 && rootNode.isPointerAt(offset) && rootNode.prefixLengthAt(offset) === 0;
    this.node = isPlain ? store.node(rootNode.targetAt(offset)) : undefined;
  }

  find(hash: Uint8Array): Uint8Array | undefined {
    const { node } = this;
    if (node === undefined) return findLeafAt(this.store, this.rootNode, this.keyOf(hash), 0);
    const index = hash[0]!;
    const offset = node.offsetOf(index);
    if (offset < 0) return undefined;
    if (!node.isPointerAt(offset) || node.prefixLengthAt(offset) > 0) return findLeafAt(this.store, node, hash, 0);
    const child = (this.children[index] ??= this.store.node(node.targetAt(offset)));
    return findLeafAt(this.store, child, hash, 1);
  }
}
