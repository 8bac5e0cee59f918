import { equalBytes } from "@vedette/crypto";
import { childrenOf, emptyRoot, RadixNode } from "@vedette/tuplespace";

/**
 * Follows a state that comes in the order in which it was written: a node, the leaves right below it, and then its
 * nodes, each with all that is below. Who has seen it so to its end has seen all of it, and needs not look again.
 */
export class StateWalk {
  /** Nodes that are to come, the next one last. */
  #nodes: Uint8Array[] = [];
  /** Leaves that are to come before any node. */
  #leaves: readonly Uint8Array[] = [];
  #leaf = 0;
  #isLost = true;

  /** What came before does not count. @param root of the state, from somebody whom one trusts */
  begin(root: Uint8Array): void {
    this.#nodes = equalBytes(root, emptyRoot) ? [] : [root];
    [this.#leaves, this.#leaf, this.#isLost] = [[], 0, false];
  }

  /** @param hash of the bytes @throws {HistoryError} `nodeMalformed` */
  node(hash: Uint8Array, bytes: Uint8Array): void {
    if (this.#isLost) return;
    const expected = this.#nodes.pop();
    this.#isLost = this.#leaf < this.#leaves.length || expected === undefined || !equalBytes(expected, hash);
    if (this.#isLost) return;
    const { nodes, leaves } = childrenOf(new RadixNode(bytes));
    // Copies: views would keep the whole chunk.
    for (let at = nodes.length - 1; at >= 0; at -= 1) this.#nodes.push(nodes[at]!.slice());
    [this.#leaves, this.#leaf] = [leaves, 0];
  }

  /** @param hash of its bytes */
  leaf(hash: Uint8Array): void {
    const expected = this.#leaves[this.#leaf];
    this.#leaf += 1;
    if (expected === undefined || !equalBytes(expected, hash)) this.#isLost = true;
  }

  /** Whether all has come, and in its order. */
  get isWhole(): boolean {
    return !this.#isLost && this.#nodes.length === 0 && this.#leaf === this.#leaves.length;
  }
}
