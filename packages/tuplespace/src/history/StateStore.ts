import type { ReadableTable, Store, WritableTables } from "@vedette/store";
import { type EncodedLeaf, Leaf } from "../leaf/Leaf.js";
import { GenerationCache } from "./GenerationCache.js";
import { HistoryError } from "./HistoryError.js";
import { emptyNode, RadixNode } from "./RadixNode.js";
import { emptyRoot, type NewNode, type NodeReader } from "./updateTree.js";

/** The tables of a state store. @spec 30 §5.8 */
export const stateTables = { nodes: "history", leaves: "cold", roots: "roots" } as const;

/** Budgets of the caches of decoded nodes and leaves, in bytes of memory. */
export interface StateStoreOptions {
  readonly nodeCacheBytes?: number;
  readonly leafCacheBytes?: number;
}

/** What one change of the state writes. */
export interface StateCommit {
  readonly root: Uint8Array;
  readonly newNodes: readonly NewNode[];
  readonly newLeaves: readonly EncodedLeaf[];
  readonly also?: AlsoWritten | undefined;
}

/** Writes what belongs to a new state into other tables of its store, in the state's own transaction. */
export type AlsoWritten = (tables: WritableTables, root: Uint8Array) => void;

const defaultNodeCacheBytes = 20 << 20;
const defaultLeafCacheBytes = 40 << 20;
/** The reference writes this text beside each root. */
const rootMark = new TextEncoder().encode("root");

interface CachedNode {
  readonly hash: Uint8Array;
  readonly node: RadixNode;
  readonly memoryBytes: number;
}

/**
 * The states of a network on one store: nodes, leaves and the roots that may be used.
 *
 * Everything but the roots is content-addressed and never changes, hence the caches need no invalidation and
 * any number of views can read while one owner commits.
 *
 * @spec 30 §4.5, §5.5, §5.7, §5.8
 */
export class StateStore implements NodeReader {
  private readonly nodes: ReadableTable;
  private readonly leaves: ReadableTable;
  private readonly roots: ReadableTable;
  private readonly nodeCache: GenerationCache<CachedNode>;
  private readonly leafCache: GenerationCache<Leaf>;

  constructor(
    private readonly store: Store,
    options: StateStoreOptions = {},
  ) {
    this.nodes = store.table(stateTables.nodes);
    this.leaves = store.table(stateTables.leaves);
    this.roots = store.table(stateTables.roots);
    this.nodeCache = new GenerationCache(options.nodeCacheBytes ?? defaultNodeCacheBytes);
    this.leafCache = new GenerationCache(options.leafCacheBytes ?? defaultLeafCacheBytes);
  }

  /** @throws {HistoryError} `nodeMissing`, `nodeMalformed` */
  node(hash: Uint8Array): RadixNode {
    const node = this.findNode(hash);
    if (node === undefined) throw new HistoryError({ code: "nodeMissing", hash });
    return node;
  }

  /** As `node`, but `undefined` where there is none. @throws {HistoryError} `nodeMalformed` */
  findNode(hash: Uint8Array): RadixNode | undefined {
    const cached = this.nodeCache.get(hash);
    if (cached !== undefined) return cached.node;
    const bytes = this.nodes.get(hash);
    return bytes === undefined ? undefined : this.remember(hash.slice(), new RadixNode(bytes));
  }

  /** As `node`, but a root that is absent is the empty tree. @spec 30 §5.6 */
  rootNode(root: Uint8Array): RadixNode {
    return this.findNode(root) ?? emptyNode;
  }

  /** @throws {HistoryError} `leafMissing`; {LeafError} `corrupted` */
  leaf(hash: Uint8Array): Leaf {
    const cached = this.leafCache.get(hash);
    if (cached !== undefined) return cached;
    const bytes = this.leaves.get(hash);
    if (bytes === undefined) throw new HistoryError({ code: "leafMissing", hash });
    const leaf = Leaf.decode(hash.slice(), bytes);
    this.leafCache.add(leaf);
    return leaf;
  }

  /** The encoding of a node as it is in the store. */
  nodeBytes(hash: Uint8Array): Uint8Array | undefined {
    return this.nodes.get(hash);
  }

  hasLeaf(hash: Uint8Array): boolean {
    return this.leaves.has(hash);
  }

  /** The encoding of a leaf as it is in the store. */
  leafBytes(hash: Uint8Array): Uint8Array | undefined {
    return this.leaves.get(hash);
  }

  /** Whether a state may be used: its root was committed or recorded. @spec 30 §5.7 */
  hasRoot(root: Uint8Array): boolean {
    return isEmptyRoot(root) || this.roots.has(root);
  }

  /**
   * Allows the use of a state, also before its nodes have arrived.
   *
   * Quirk 30 §6.7(5): a transfer that is broken off leaves a root without nodes.
   */
  recordRoot(root: Uint8Array): void {
    this.store.write((table) => {
      table(stateTables.roots).put(root, rootMark);
    });
  }

  /** Writes a new state in one batch and records its root. @spec 30 §5.5 */
  commit({ root, newNodes, newLeaves, also }: StateCommit): void {
    if (newNodes.length === 0 && also === undefined && this.roots.has(root)) return;
    this.store.write((table) => {
      const nodes = table(stateTables.nodes);
      for (const { hash, node } of newNodes) nodes.put(hash, node.bytes);
      const leaves = table(stateTables.leaves);
      for (const { leaf, bytes } of newLeaves) leaves.put(leaf.hash, bytes);
      table(stateTables.roots).put(root, rootMark);
      also?.(table, root);
    });
    for (const { hash, node } of newNodes) this.remember(hash, node);
    for (const { leaf } of newLeaves) this.leafCache.add(leaf);
  }

  /** Writes nodes and leaves that came from a peer and were checked; no root is recorded. @spec 30 §6.5 */
  putItems(
    nodes: readonly { readonly key: Uint8Array; readonly value: Uint8Array }[],
    leaves: readonly { readonly key: Uint8Array; readonly value: Uint8Array }[],
  ): void {
    this.store.write((table) => {
      const nodeTable = table(stateTables.nodes);
      for (const { key, value } of nodes) nodeTable.put(key, value);
      const leafTable = table(stateTables.leaves);
      for (const { key, value } of leaves) leafTable.put(key, value);
    });
  }

  private remember(hash: Uint8Array, node: RadixNode): RadixNode {
    this.nodeCache.add({ hash, node, memoryBytes: node.memoryBytes });
    return node;
  }
}

function isEmptyRoot(root: Uint8Array): boolean {
  if (root.length !== emptyRoot.length) return false;
  for (let i = 0; i < root.length; i += 1) if (root[i] !== emptyRoot[i]) return false;
  return true;
}
