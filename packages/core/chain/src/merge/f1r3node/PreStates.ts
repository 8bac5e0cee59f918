import { dropOldest } from "@vedette/errors";
import { hashKey } from "@vedette/protocol";
import type { BlockMetadata } from "../../dag/BlockMetadata.js";
import type { FloorPreState } from "./FloorPreState.js";

/** Validators that propose at once make blocks on the same parents: some times as many as there are validators. */
const maxRemembered = 8;

/**
 * Caches merged states of parents: blocks beside each other often have the same ones, so that they are merged once.
 *
 * @spec 61 §12
 */
export class PreStates {
  private readonly known = new Map<string, Promise<FloorPreState>>();

  /**
   * @param parents in their order
   * @param floor   of the block
   * @param merge   all other inputs follow from these
   */
  of(
    parents: readonly BlockMetadata[],
    floor: BlockMetadata,
    merge: () => Promise<FloorPreState>,
  ): Promise<FloorPreState> {
    const key = [floor, ...parents].map(({ hash }) => hashKey(hash)).join();
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const made = merge();
    this.known.set(key, made);
    // A failed merge may succeed when more blocks are here.
    made.catch(() => this.known.delete(key));
    dropOldest(this.known, maxRemembered);
    return made;
  }
}
