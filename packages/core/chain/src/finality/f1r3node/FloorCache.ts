import { dropOldest } from "@vedette/errors";
import { hashKey } from "@vedette/protocol";

/** The floor facts that were derived for a block. @spec 61 §13.3 */
export interface DerivedFloor {
  readonly floor: Uint8Array;
  /** The main parent's frontier; none for genesis. */
  readonly frontier: Uint8Array | undefined;
}

/** Stores derived floors. They never change, and validation must use the stored ones. @spec 61 §13.2 */
export interface FloorCache {
  find(hash: Uint8Array): DerivedFloor | undefined;
  put(hash: Uint8Array, derived: DerivedFloor): void;
}

const defaultMostBlocks = 20_000;

/** Floors of the blocks that were derived last: one that was forgotten is derived again, to the same. */
export class MemoryFloorCache implements FloorCache {
  private readonly maxBlocks: number;
  private readonly floors = new Map<string, DerivedFloor>();

  /** @param maxBlocks more than any block has parents */
  constructor(maxBlocks = defaultMostBlocks) {
    this.maxBlocks = maxBlocks;
  }

  find(hash: Uint8Array): DerivedFloor | undefined {
    return this.floors.get(hashKey(hash));
  }

  put(hash: Uint8Array, derived: DerivedFloor): void {
    this.floors.set(hashKey(hash), derived);
    dropOldest(this.floors, this.maxBlocks);
  }
}
