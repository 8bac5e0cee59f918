import { blake2b256 } from "@vedette/crypto";
import type { Store } from "@vedette/store";
import { stateTables } from "../history/StateStore.js";

/** Below the root. */
const levels = 20;

/**
 * Puts a tree of 21 nodes into a store that have 256^20 places, as each node has the next one at every byte.
 *
 * @returns its nodes, the root last
 */
export function putSharedSubtrees(store: Store): readonly Uint8Array[] {
  const value = new Uint8Array(32);
  const leaf = blake2b256(value);
  const nodes = [Uint8Array.of(0, 0, ...leaf)];
  while (nodes.length <= levels) {
    const hash = blake2b256(nodes.at(-1)!);
    nodes.push(Uint8Array.from(Array.from({ length: 256 }, (_, index) => [index, 0x80, ...hash]).flat()));
  }
  store.write((tables) => {
    for (const node of nodes) tables(stateTables.nodes).put(blake2b256(node), node);
    tables(stateTables.leaves).put(leaf, value);
  });
  return nodes;
}
