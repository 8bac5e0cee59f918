import type { BlockFinality } from "@vedette/chain";

/** The cached facts about a block. */
export interface KnownBlock {
  readonly hash: string;
  readonly number: bigint;
  readonly parents: readonly string[];
  fate: BlockFinality;
}

/** A block that is not final, and lies so far below one that is, is taken for lost: as our nodes do. @spec 50 §4.1 */
export const silentHeights = 1_000n;

/** The blocks that something may still be decided about, and those near them. */
export class KnownBlocks {
  readonly #blocks = new Map<string, KnownBlock>();

  has(hash: string): boolean {
    return this.#blocks.has(hash);
  }

  add(block: KnownBlock): void {
    this.#blocks.set(block.hash, block);
  }

  /** Makes a block final, and all that it is built on. @returns those that were not, the lowest first */
  finalize(hash: string): readonly KnownBlock[] {
    const found: KnownBlock[] = [];
    const waiting = [hash];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const block = this.#blocks.get(next);
      if (block === undefined || block.fate === "finalized") continue;
      block.fate = "finalized";
      found.push(block);
      waiting.push(...block.parents);
    }
    return found.sort(byHeight);
  }

  /** Drops blocks too far below a final block. @returns the pending ones, the lowest first */
  giveUp(lastFinalized: bigint): readonly KnownBlock[] {
    const lost = [...this.#blocks.values()].filter(
      ({ fate, number }) => fate === "pending" && number + silentHeights < lastFinalized,
    );
    for (const block of lost) block.fate = "forkedAway";
    return lost.sort(byHeight);
  }

  /** The lowest height of which something is not decided. */
  lowestPending(): bigint | undefined {
    let lowest: bigint | undefined;
    for (const { fate, number } of this.#blocks.values())
      if (fate === "pending" && (lowest === undefined || number < lowest)) lowest = number;
    return lowest;
  }

  /** Forgets blocks of which everything is decided, below a height. */
  forget(below: bigint): void {
    for (const [hash, { fate, number }] of this.#blocks)
      if (fate !== "pending" && number < below) this.#blocks.delete(hash);
  }
}

function byHeight(left: KnownBlock, right: KnownBlock): number {
  return left.number < right.number ? -1 : left.number > right.number ? 1 : 0;
}
