import { equalBytes } from "@vedette/crypto";
import { childrenOf, emptyRoot, isLeafOf, nextBytesOf, RadixNode, type SpaceDialect } from "@vedette/tuplespace";

interface Place {
  readonly hash: Uint8Array;
  /** The first byte of the keys below; the root has those of all. */
  readonly firstByte: number | undefined;
}

/**
 * Follows a state that comes in the order in which it was written: a node, the leaves right below it, and then its
 * nodes, each with all that is below. At the end the caller has received all of it, and need not check again.
 */
export class SnapshotStateWalk {
  readonly #form: SpaceDialect;
  /** Nodes that are to come, the next one last. */
  #nodes: Place[] = [];
  /** Leaves that are to come before any node. */
  #leaves: readonly Place[] = [];
  #leaf = 0;
  #isLost = true;

  constructor(form: SpaceDialect) {
    this.#form = form;
  }

  /** Begins a walk; earlier input is forgotten. @param root of the state, from a trusted source */
  begin(root: Uint8Array): void {
    this.#nodes = equalBytes(root, emptyRoot) ? [] : [{ hash: root, firstByte: undefined }];
    [this.#leaves, this.#leaf, this.#isLost] = [[], 0, false];
  }

  /** @param hash of the bytes @throws {HistoryError} `nodeMalformed` */
  node(hash: Uint8Array, bytes: Uint8Array): void {
    if (this.#isLost) return;
    const expected = this.#nodes.pop();
    this.#isLost = this.#leaf < this.#leaves.length || expected === undefined || !equalBytes(expected.hash, hash);
    if (this.#isLost) return;
    const node = new RadixNode(bytes);
    const { nodes, leaves } = childrenOf(node);
    const next = nextBytesOf(node);
    const placed = (target: Uint8Array, byte: number) => ({ hash: target, firstByte: expected!.firstByte ?? byte });
    // Copies: views would keep the whole chunk.
    for (let at = nodes.length - 1; at >= 0; at -= 1) this.#nodes.push(placed(nodes[at]!.slice(), next.nodes[at]!));
    [this.#leaves, this.#leaf] = [leaves.map((target, at) => placed(target, next.leaves[at]!)), 0];
  }

  /** @param hash of its bytes */
  leaf(hash: Uint8Array, bytes: Uint8Array): void {
    const expected = this.#leaves[this.#leaf];
    this.#leaf += 1;
    const isExpected = expected !== undefined && equalBytes(expected.hash, hash);
    if (!isExpected || !isLeafOf(this.#form, bytes, expected.firstByte!)) this.#isLost = true;
  }

  /** Whether all has come, and in its order. */
  get isWhole(): boolean {
    return !this.#isLost && this.#nodes.length === 0 && this.#leaf === this.#leaves.length;
  }
}
