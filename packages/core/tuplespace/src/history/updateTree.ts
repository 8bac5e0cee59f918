import { blake2b256, compareBytes, emptyBytes } from "@vedette/crypto";
import { HistoryError } from "./HistoryError.js";
import { emptyNode, RadixItem, RadixNode } from "./RadixNode.js";

/** The root hash of the tree without any key: Blake2b-256 of no bytes. Its node is not stored. @spec 30 §5.2 */
export const emptyRoot = blake2b256(emptyBytes);

/** A change of one key: its new value, or `undefined` to delete it. @spec 30 §4.2 */
export interface HistoryAction {
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
}

/** A node that a change of the tree made. */
export interface NewNode {
  readonly hash: Uint8Array;
  readonly node: RadixNode;
  /** The earlier node in its place, if there was one: most of the two is the same. */
  readonly before?: Uint8Array | undefined;
}

/** Where the tree's nodes are read. */
export interface NodeReader {
  /** @throws {HistoryError} `nodeMissing`, `nodeMalformed` */
  node(hash: Uint8Array): RadixNode;
  /** As `node`; an absent root is the empty tree. */
  rootNode(root: Uint8Array): RadixNode;
}

/**
 * Applies changes of distinct keys to the tree at a root.
 *
 * The tree has one form for one set of keys and values, so the way to it is free: the actions are sorted and
 * walked together with the tree, and every touched node is built once.
 *
 * @spec 30 §5.3, §5.4, §5.5
 * @returns the new root and the nodes that it needs beside those of the old one; the old root and none if
 *   nothing changed
 * @throws {HistoryError} `duplicateAction` when two actions have the same key; `nodeMissing`, `nodeMalformed`
 * @cost grows with the number of actions and of nodes on their paths
 */
export function updateTree(
  nodes: NodeReader,
  root: Uint8Array,
  actions: readonly HistoryAction[],
): { readonly root: Uint8Array; readonly newNodes: readonly NewNode[] } {
  const sorted = sortActions(actions);
  const update = new TreeUpdate(nodes, sorted);
  const pieces = update.changeNode(
    { hash: root, node: nodes.rootNode(root) },
    { low: 0, high: sorted.length, depth: 0 },
  );
  if (pieces === undefined) return { root, newNodes: [] };
  if (pieces.items.length === 0) return { root: emptyRoot, newNodes: [] };
  return { root: update.store(pieces), newNodes: update.newNodes };
}

/** A node in the making: new items, and offsets of items that stay as they are in `old`. */
interface NodePieces {
  readonly old: RadixNode;
  /** The hash of the old node; none for a place where there was none. */
  readonly before?: Uint8Array;
  readonly items: (RadixItem | number)[];
}

class TreeUpdate {
  readonly newNodes: NewNode[] = [];

  constructor(
    private readonly nodes: NodeReader,
    private readonly actions: readonly HistoryAction[],
  ) {}

  /** Changes the items of a node; actions `low` to `high` differ from byte `depth` on. */
  changeNode(
    { hash, node }: NewNode,
    { low, high, depth }: { readonly low: number; readonly high: number; readonly depth: number },
  ): NodePieces | undefined {
    const items: (RadixItem | number)[] = [];
    let isChanged = false;
    let next = low;
    for (let index = 0; index < 256; index += 1) {
      const offset = node.offsetOf(index);
      const end = this.groupEnd(next, high, depth, index);
      if (end === next) {
        if (offset >= 0) items.push(offset);
        continue;
      }
      const old = offset < 0 ? undefined : RadixItem.from(node, offset);
      const changed = this.changeItem(index, old, this.actions.slice(next, end), depth + 1);
      if (changed === old) {
        if (offset >= 0) items.push(offset);
      } else {
        isChanged = true;
        if (changed !== undefined) items.push(changed);
      }
      next = end;
    }
    return isChanged ? { old: node, before: hash, items } : undefined;
  }

  /** Encodes, hashes and keeps a new node. */
  store(pieces: NodePieces): Uint8Array {
    const node = new RadixNode(encodePieces(pieces));
    const hash = blake2b256(node.bytes);
    this.newNodes.push({ hash, node, before: pieces.before });
    return hash;
  }

  private groupEnd(from: number, high: number, depth: number, index: number): number {
    let end = from;
    while (end < high && keyByte(this.actions[end]!.key, depth) === index) end += 1;
    return end;
  }

  /** Gives back `old` itself if nothing changes, `undefined` for an empty item. */
  private changeItem(
    index: number,
    old: RadixItem | undefined,
    group: readonly HistoryAction[],
    depth: number,
  ): RadixItem | undefined {
    if (old === undefined) return this.buildItem(index, insertsOf(group), depth);
    if (!old.isPointer) return this.changeLeaf(index, old, group, depth);
    const relevant = group.filter((action) => action.value !== undefined || startsWith(action.key, depth, old.prefix));
    if (relevant.length === 0) return old;
    const shared = sharedPrefixWith(old.prefix, relevant, depth);
    return shared === old.prefix.length
      ? this.changeChild(index, old, relevant, depth + shared)
      : this.splitPointer(index, old, relevant, { depth, shared });
  }

  private changeLeaf(
    index: number,
    old: RadixItem,
    group: readonly HistoryAction[],
    depth: number,
  ): RadixItem | undefined {
    const own = group.find((action) => isRest(action.key, depth, old.prefix));
    const inserts = insertsOf(group);
    const only = inserts.length === 1 ? inserts[0]! : undefined;
    if (only !== undefined && only === own && compareBytes(only.value!, old.target) === 0) return old;
    if (own === undefined) {
      if (inserts.length === 0) return old;
      inserts.push({ key: keyOfLeaf(group[0]!.key, depth, old.prefix), value: old.target });
      inserts.sort((left, right) => compareBytes(left.key, right.key));
    }
    return this.buildItem(index, inserts, depth);
  }

  private changeChild(
    index: number,
    old: RadixItem,
    group: readonly HistoryAction[],
    depth: number,
  ): RadixItem | undefined {
    const update = new TreeUpdate(this.nodes, group);
    const child = { hash: old.target, node: this.nodes.node(old.target) };
    const pieces = update.changeNode(child, { low: 0, high: group.length, depth });
    if (pieces === undefined) return old;
    for (const made of update.newNodes) this.newNodes.push(made);
    return this.compact(index, old.prefix, pieces);
  }

  /** The prefix of a pointer does not fit all keys: a new node takes its place, with the pointer below it. */
  private splitPointer(
    index: number,
    old: RadixItem,
    group: readonly HistoryAction[],
    at: { readonly depth: number; readonly shared: number },
  ): RadixItem | undefined {
    const { prefix, target } = old;
    const branch = prefix[at.shared]!;
    const depth = at.depth + at.shared;
    const below = new RadixItem(branch, prefix.subarray(at.shared + 1), target, true);
    const items: (RadixItem | number)[] = [];
    for (const [child, actions] of groupsByByte(group, depth, branch)) {
      const own = child === branch ? below : undefined;
      const item = actions.length === 0 ? own : this.changeItem(child, own, actions, depth + 1);
      if (item !== undefined) items.push(item);
    }
    return this.compact(index, prefix.subarray(0, at.shared), { old: emptyNode, items });
  }

  /** A node with one item is folded into the item that would point to it. @spec 30 §5.4 */
  private compact(index: number, prefix: Uint8Array, pieces: NodePieces): RadixItem | undefined {
    const { items, old } = pieces;
    if (items.length === 0) return undefined;
    if (items.length > 1) return new RadixItem(index, prefix, this.store(pieces), true);
    const only = typeof items[0] === "number" ? RadixItem.from(old, items[0]) : items[0]!;
    const joined = new Uint8Array(prefix.length + 1 + only.prefix.length);
    joined.set(prefix);
    joined[prefix.length] = only.index;
    joined.set(only.prefix, prefix.length + 1);
    return new RadixItem(index, joined, only.target, only.isPointer);
  }

  /** A leaf or a whole new subtree of these keys, which are in order and differ from `depth` on. */
  private buildItem(index: number, inserts: readonly HistoryAction[], depth: number): RadixItem | undefined {
    const first = inserts[0];
    if (first === undefined) return undefined;
    if (inserts.length === 1) return new RadixItem(index, first.key.subarray(depth), first.value!, false);
    const last = inserts[inserts.length - 1]!;
    const shared = sharedLength(first.key, last.key, depth);
    const items: RadixItem[] = [];
    for (const [child, actions] of groupsByByte(inserts, depth + shared)) {
      const item = this.buildItem(child, actions, depth + shared + 1);
      if (item !== undefined) items.push(item);
    }
    const prefix = first.key.subarray(depth, depth + shared);
    return new RadixItem(index, prefix, this.store({ old: emptyNode, items }), true);
  }
}

function sortActions(actions: readonly HistoryAction[]): HistoryAction[] {
  const sorted = actions.map((action) => ({ action, order: leadingNumber(action.key) }));
  sorted.sort((left, right) => left.order - right.order || compareBytes(left.action.key, right.action.key));
  for (let i = 1; i < sorted.length; i += 1) {
    const key = sorted[i]!.action.key;
    if (compareBytes(sorted[i - 1]!.action.key, key) === 0) throw new HistoryError({ code: "duplicateAction", key });
  }
  return sorted.map(({ action }) => action);
}

/** The first bytes as a number: decides nearly every comparison at once. */
function leadingNumber(key: Uint8Array): number {
  let number = 0;
  for (let i = 0; i < 6; i += 1) number = number * 256 + (key[i] ?? 0);
  return number;
}

function keyByte(key: Uint8Array, depth: number): number {
  const byte = key[depth];
  if (byte === undefined) throw new HistoryError({ code: "keyTooShort", depth });
  return byte;
}

function insertsOf(actions: readonly HistoryAction[]): HistoryAction[] {
  return actions.filter((action) => action.value !== undefined);
}

function startsWith(key: Uint8Array, from: number, prefix: Uint8Array): boolean {
  if (key.length - from <= prefix.length) return false;
  for (let i = 0; i < prefix.length; i += 1) if (key[from + i] !== prefix[i]) return false;
  return true;
}

function isRest(key: Uint8Array, from: number, rest: Uint8Array): boolean {
  return compareBytes(key.subarray(from), rest) === 0;
}

function keyOfLeaf(sibling: Uint8Array, depth: number, prefix: Uint8Array): Uint8Array {
  if (depth + prefix.length !== sibling.length) throw new HistoryError({ code: "keyTooShort", depth });
  const key = sibling.slice();
  key.set(prefix, depth);
  return key;
}

function sharedPrefixWith(prefix: Uint8Array, actions: readonly HistoryAction[], depth: number): number {
  let shared = prefix.length;
  for (const { key } of actions) {
    let length = 0;
    while (length < shared && key[depth + length] === prefix[length]) length += 1;
    shared = length;
  }
  return shared;
}

function sharedLength(first: Uint8Array, last: Uint8Array, depth: number): number {
  if (first.length !== last.length) throw new HistoryError({ code: "keyTooShort", depth });
  let length = 0;
  while (depth + length < first.length && first[depth + length] === last[depth + length]) length += 1;
  return length;
}

/** Groups of sorted actions by their byte at `depth`, ascending; `also` gets a group even without actions. */
function groupsByByte(actions: readonly HistoryAction[], depth: number, also?: number): [number, HistoryAction[]][] {
  const groups: HistoryAction[][] = [];
  if (also !== undefined) groups[also] = [];
  for (const action of actions) (groups[keyByte(action.key, depth)] ??= []).push(action);
  const result: [number, HistoryAction[]][] = [];
  groups.forEach((group, byte) => {
    result.push([byte, group]);
  });
  return result;
}

function encodePieces({ old, items }: NodePieces): Uint8Array {
  let length = 0;
  for (const item of items) length += typeof item === "number" ? old.endOf(item) - item : item.encodedLength;
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const item of items) {
    if (typeof item === "number") {
      const kept = old.bytes.subarray(item, old.endOf(item));
      bytes.set(kept, offset);
      offset += kept.length;
    } else {
      offset = item.write(bytes, offset);
    }
  }
  return bytes;
}
