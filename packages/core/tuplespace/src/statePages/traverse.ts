import type { RadixNode } from "../history/RadixNode.js";
import type { PageStart } from "./path.js";
import { StatePageError } from "./StatePageError.js";

/** Gives a node, or `undefined` where there is none. */
export type FindNode = (hash: Uint8Array) => RadixNode | undefined;

/** The pieces that a traversal met, in its order. @spec 30 §6.3 */
export interface Traversal {
  readonly nodeHashes: readonly Uint8Array[];
  readonly leafHashes: readonly Uint8Array[];
  /** Where to go on; `undefined` when the end of the tree was reached. */
  readonly lastPrefix: Uint8Array | undefined;
}

/** A node on the way from the root to the present place. */
interface Visit {
  readonly node: RadixNode;
  /** Length of the key bytes that lead to it. */
  readonly depth: number;
  /** Index of the item at which to go on. */
  next: number;
}

/** Longer than any key of the tuple space and than a path can state. */
const deepest = 128;

/**
 * Walks the tree from a place on, in the order of keys, parents before children.
 *
 * Only nodes count for `skip` and `take`; the walk stops right after the last node that is taken, before what
 * lies in it.
 *
 * @spec 30 §6.3
 * @returns nothing in it when the root is unknown
 * @throws {StatePageError} `badRange` for none to skip and none to take; `nodeNotFound`, `prefixNotFound`, `badPath`
 * @cost grows with `skip + take` and with the number of leaves in between
 */
export function traverse(findNode: FindNode, place: PageStart, skip: number, take: number): Traversal {
  if (skip === 0 && take === 0) throw new StatePageError({ code: "badRange", skip, take, most: take });
  const root = findNode(place.root);
  if (root === undefined) return { nodeHashes: [], leafHashes: [], lastPrefix: undefined };
  const walk = new Walk(findNode, skip, take);
  if (place.prefix === undefined) walk.enter(place.root, root);
  else walk.descend(root, place.prefix);
  return walk.run();
}

class Walk {
  private readonly nodeHashes: Uint8Array[] = [];
  private readonly leafHashes: Uint8Array[] = [];
  private readonly path: Visit[] = [];
  private readonly prefix = new Uint8Array(deepest);
  /** Length of the key bytes that lead to the node on top. */
  private depth = 0;

  constructor(
    private readonly findNode: FindNode,
    private skip: number,
    private take: number,
  ) {}

  /** Counts a node and puts it on top. */
  enter(hash: Uint8Array, node: RadixNode): void {
    this.path.push({ node, depth: this.depth, next: 0 });
    if (this.skip > 0) {
      this.skip -= 1;
      return;
    }
    this.nodeHashes.push(hash);
    this.take -= 1;
  }

  /** Goes to the node at a prefix without counting the ones on the way. */
  descend(root: RadixNode, prefix: Uint8Array): void {
    let node = root;
    this.path.push({ node, depth: 0, next: 0 });
    while (this.depth < prefix.length) {
      const index = prefix[this.depth]!;
      const offset = node.offsetOf(index);
      if (offset < 0 || !node.isPointerAt(offset) || !node.prefixMatches(offset, prefix, this.depth + 1)) {
        throw new StatePageError({ code: "prefixNotFound", prefix });
      }
      this.path[this.path.length - 1]!.next = index + 1;
      this.appendToPrefix(index, node.prefixAt(offset));
      node = this.requireNode(node.targetAt(offset));
      this.path.push({ node, depth: this.depth, next: 0 });
    }
  }

  run(): Traversal {
    const { nodeHashes, leafHashes } = this;
    while (this.path.length > 0) {
      const top = this.path[this.path.length - 1]!;
      if (this.skip === 0 && this.take === 0) {
        return { nodeHashes, leafHashes, lastPrefix: this.prefix.slice(0, top.depth) };
      }
      this.step(top);
    }
    return { nodeHashes, leafHashes, lastPrefix: undefined };
  }

  private step(top: Visit): void {
    const { node } = top;
    let index = top.next;
    while (index < 256 && node.offsetOf(index) < 0) index += 1;
    if (index === 256) {
      this.path.pop();
      return;
    }
    top.next = index + 1;
    const offset = node.offsetOf(index);
    const target = node.targetAt(offset);
    if (!node.isPointerAt(offset)) {
      if (this.skip === 0) this.leafHashes.push(target);
      return;
    }
    this.depth = top.depth;
    this.appendToPrefix(index, node.prefixAt(offset));
    this.enter(target, this.requireNode(target));
  }

  private appendToPrefix(index: number, rest: Uint8Array): void {
    if (this.depth + 1 + rest.length > deepest) {
      throw new StatePageError({ code: "badPath", detail: `the tree is deeper than ${deepest} bytes` });
    }
    this.prefix[this.depth] = index;
    this.prefix.set(rest, this.depth + 1);
    this.depth += 1 + rest.length;
  }

  private requireNode(hash: Uint8Array): RadixNode {
    const node = this.findNode(hash);
    if (node === undefined) throw new StatePageError({ code: "nodeNotFound", hash });
    return node;
  }
}
