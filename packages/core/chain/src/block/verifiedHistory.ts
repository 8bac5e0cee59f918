import { equalBytes } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";
import type { Store } from "@vedette/store";

const key = Uint8Array.of(0);

/** The block that a chain began with. */
export type FirstBlock = Pick<Block, "hash" | "number">;

/** Whether all that lies before the block which a chain began with has been replayed by this node. @spec 40 §20 */
export function isHistoryProven(store: Store, first: FirstBlock): boolean {
  const hash = store.table("provenHistory").get(key);
  return first.number === 0n || (hash !== undefined && equalBytes(hash, first.hash));
}

/** Remembers that it has been. @spec 40 §20 */
export function noteProvenHistory(store: Store, first: FirstBlock): void {
  store.write((tables) => tables("provenHistory").put(key, first.hash));
}
