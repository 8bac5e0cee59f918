import { blake2b256, equalBytes } from "@vedette/crypto";
import type { ReadableTable, Store } from "@vedette/store";
import { rnodeSpace } from "../form/rnodeSpace.js";
import type { SpaceDialect } from "../form/SpaceDialect.js";
import type { EncodedLeaf, Leaf } from "../leaf/Leaf.js";
import { GenerationCache } from "./GenerationCache.js";
import { HistoryError } from "./HistoryError.js";
import { applyChanges, changesBetween, decodeChanges, encodeChanges } from "./nodeChanges.js";
import { emptyNode, RadixNode } from "./RadixNode.js";
import { emptyRoot, type NewNode, type NodeReader } from "./updateTree.js";
import type { WriteWithState } from "./WriteWithState.js";

/** The tables of a state store. @spec 30 §5.8 */
export const stateTables = {
  nodes: "history",
  changedNodes: "changedHistory",
  leaves: "cold",
  roots: "roots",
} as const;

/** Budgets of the caches of decoded nodes and leaves, in bytes of memory. */
export interface StateStoreOptions {
  /** Left out: that of rnode. */
  readonly form?: SpaceDialect;
  readonly nodeCacheBytes?: number;
  readonly leafCacheBytes?: number;
  /** Whether nodes and leaves are compared with the hashes that they are read by, where the store may be wrong. */
  readonly checksHashes?: boolean;
}

/** The writes of one change of the state. */
export interface StateCommit {
  readonly root: Uint8Array;
  readonly newNodes: readonly NewNode[];
  readonly newLeaves: readonly EncodedLeaf[];
  readonly also?: WriteWithState | undefined;
}

const defaultNodeCacheBytes = 20 << 20;
const defaultLeafCacheBytes = 40 << 20;
/**
 * Each commit leaves nodes and leaves behind that the next state has in another form. Without a limit in commits the
 * caches would fill up to their budgets with entries that are never read again.
 */
const commitsOfGeneration = 64;
/** rnode writes this text beside each root. */
const rootMark = new TextEncoder().encode("root");

interface CachedNode {
  readonly hash: Uint8Array;
  readonly node: RadixNode;
  /** The node that it is stored as changes of; itself, where it is stored as a whole. */
  readonly whole: { readonly hash: Uint8Array; readonly node: RadixNode };
  readonly memoryBytes: number;
}

/**
 * A node is stored as changes of an earlier one while these take less than this part of it. Each block adds some, so
 * that the least is written where they end at about the root of two items' share.
 */
export const changesShare = 6;

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
  private readonly changedNodes: ReadableTable;
  private readonly leaves: ReadableTable;
  private readonly roots: ReadableTable;
  private readonly nodeCache: GenerationCache<CachedNode>;
  private readonly leafCache: GenerationCache<Leaf>;
  private readonly checksHashes: boolean;
  /** How what is stored becomes bytes. */
  readonly form: SpaceDialect;
  private commits = 0;
  /** Called with what was written, in the same turn. */
  onCommit: ((commit: StateCommit) => void) | undefined;

  constructor(
    private readonly store: Store,
    options: StateStoreOptions = {},
  ) {
    this.nodes = store.table(stateTables.nodes);
    this.changedNodes = store.table(stateTables.changedNodes);
    this.leaves = store.table(stateTables.leaves);
    this.roots = store.table(stateTables.roots);
    this.checksHashes = options.checksHashes ?? false;
    this.form = options.form ?? rnodeSpace;
    this.nodeCache = new GenerationCache(options.nodeCacheBytes ?? defaultNodeCacheBytes);
    this.leafCache = new GenerationCache(options.leafCacheBytes ?? defaultLeafCacheBytes);
  }

  /** @throws {HistoryError} `nodeMissing`, `nodeMalformed`, `falsified` */
  node(hash: Uint8Array): RadixNode {
    const node = this.findNode(hash);
    if (node === undefined) throw new HistoryError({ code: "nodeMissing", hash });
    return node;
  }

  /** As `node`, but `undefined` where there is none. @throws {HistoryError} `nodeMalformed` */
  findNode(hash: Uint8Array): RadixNode | undefined {
    return this.findStored(hash)?.node;
  }

  private findStored(hash: Uint8Array): CachedNode | undefined {
    const cached = this.nodeCache.get(hash);
    if (cached !== undefined) return cached;
    // Never stored, and a store with pieces from elsewhere would request it there.
    if (isEmptyRoot(hash)) return undefined;
    const bytes = this.nodes.get(hash);
    if (bytes !== undefined) return this.remember(hash.slice(), new RadixNode(bytes));
    const changedBytes = this.changedNodes.get(hash);
    if (changedBytes === undefined) return undefined;
    const changes = decodeChanges(changedBytes);
    const whole = this.findStored(changes.whole);
    if (whole === undefined) throw new HistoryError({ code: "nodeMissing", hash: changes.whole });
    return this.remember(hash.slice(), applyChanges(whole.node, changes), whole);
  }

  /** The number of stored nodes, of all states. */
  countNodes(): number {
    return this.nodes.count() + this.changedNodes.count();
  }

  /**
   * More places than the nodes of one state have here: no two of its nodes are the same, as its keys are hashes. A state
   * from elsewhere may be made so that few nodes have very many places.
   */
  get maxPlaces(): number {
    return 2 * this.countNodes() + 100;
  }

  /** As {@link findNode}, past what is at hand: and what the node is stored as changes of. */
  storedNode(hash: Uint8Array): { readonly node: RadixNode; readonly whole: Uint8Array | undefined } | undefined {
    const bytes = this.nodes.get(hash);
    if (bytes !== undefined) return { node: new RadixNode(bytes), whole: undefined };
    const changedBytes = this.changedNodes.get(hash);
    if (changedBytes === undefined) return undefined;
    const changes = decodeChanges(changedBytes);
    const whole = this.nodes.get(changes.whole);
    if (whole === undefined) throw new HistoryError({ code: "nodeMissing", hash: changes.whole });
    return { node: applyChanges(new RadixNode(whole), changes), whole: changes.whole };
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
    if (this.checksHashes) requireHash("leaf", hash, this.form.leafHash(bytes));
    const leaf = this.form.decodeLeaf(hash.slice(), bytes);
    this.leafCache.add(leaf);
    return leaf;
  }

  /** The encoding of a node. @throws {HistoryError} `nodeMissing`, `nodeMalformed` */
  nodeBytes(hash: Uint8Array): Uint8Array | undefined {
    return this.nodes.get(hash) ?? this.findNode(hash)?.bytes;
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
   * Quirk 30 §6.7(5): copying that is broken off leaves a root without nodes.
   */
  recordRoot(root: Uint8Array): void {
    this.store.write((table) => {
      table(stateTables.roots).put(root, rootMark);
    });
  }

  /** Writes a new state in one batch and records its root. @spec 30 §5.5 */
  commit({ root, newNodes, newLeaves, also }: StateCommit): void {
    if (newNodes.length === 0 && also === undefined && this.roots.has(root)) return;
    const made = newNodes.filter(({ hash }) => !this.nodes.has(hash) && !this.changedNodes.has(hash));
    const stored = made.map((node) => this.changesOf(node));
    const areLeavesThere = () => newLeaves.every(({ leaf }) => this.leaves.has(leaf.hash));
    // To make a known state again needs no room: a node makes the empty one at each start.
    const isThere = also === undefined && made.length === 0 && this.roots.has(root) && areLeavesThere();
    if (!isThere) this.writeState({ root, newLeaves, also }, stored);
    this.onCommit?.({ root, newNodes, newLeaves });
    for (const { hash, node, whole } of stored) this.remember(hash, node, whole);
    for (const { leaf } of newLeaves) this.leafCache.add(leaf);
    this.commits += 1;
    if (this.commits % commitsOfGeneration !== 0) return;
    this.nodeCache.age();
    this.leafCache.age();
  }

  private writeState(
    { root, newLeaves, also }: Omit<StateCommit, "newNodes">,
    stored: readonly ReturnType<StateStore["changesOf"]>[],
  ): void {
    this.store.write((table) => {
      const nodes = table(stateTables.nodes);
      const changedNodes = table(stateTables.changedNodes);
      for (const { hash, node, changes } of stored) {
        if (changes === undefined) nodes.put(hash, node.bytes);
        else changedNodes.put(hash, changes);
      }
      const leaves = table(stateTables.leaves);
      for (const { leaf, bytes } of newLeaves) leaves.put(leaf.hash, bytes);
      table(stateTables.roots).put(root, rootMark);
      also?.(table, root);
    });
  }

  /** Drops the nodes and leaves that are in memory only to be read again faster. */
  dropCaches(): void {
    this.nodeCache.clear();
    this.leafCache.clear();
  }

  /** Bytes of the nodes and leaves in memory, by the caches' books. */
  get memoryBytes(): number {
    return this.nodeCache.memoryBytes + this.leafCache.memoryBytes;
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

  /** How a new node is stored. */
  private changesOf({ hash, node, before }: NewNode) {
    const whole = before === undefined ? undefined : this.findStored(before)?.whole;
    const limitBytes = Math.floor(node.bytes.length / changesShare);
    const changes = whole === undefined ? undefined : changesBetween(whole, node, limitBytes);
    // A cached node may have been removed on disk.
    if (whole === undefined || changes === undefined || !this.nodes.has(whole.hash)) return { hash, node };
    return { hash, node, whole, changes: encodeChanges(changes) };
  }

  private remember(hash: Uint8Array, node: RadixNode, whole?: CachedNode["whole"]): CachedNode {
    if (this.checksHashes) requireHash("node", hash, blake2b256(node.bytes));
    const { memoryBytes } = node;
    const cached = { hash, node, whole: whole ?? { hash, node }, memoryBytes };
    this.nodeCache.add(cached);
    return cached;
  }
}

function requireHash(kind: "node" | "leaf", hash: Uint8Array, actual: Uint8Array): void {
  if (!equalBytes(actual, hash)) throw new HistoryError({ code: "falsified", kind, hash });
}

function isEmptyRoot(root: Uint8Array): boolean {
  if (root.length !== emptyRoot.length) return false;
  for (let i = 0; i < root.length; i += 1) if (root[i] !== emptyRoot[i]) return false;
  return true;
}
