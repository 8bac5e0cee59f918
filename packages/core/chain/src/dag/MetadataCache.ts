import { deployLifespan } from "../ChainRules.js";
import type { BlockMetadata } from "./BlockMetadata.js";

/** A block counts as one and one for each of its justifications, which is what memory goes by. */
const maxOpen = 60_000;
const maxInvalid = 20_000;
/** In each of two generations. */
const maxOld = { weight: 20_000, blocks: 256 } as const;

/**
 * Keeps metadata in memory: all that undecided blocks and the recent past need, invalid blocks, and the most recently
 * used of the rest.
 *
 * The window begins a deploy's life span below the last finalized block, as far as checks look back, and moves up with
 * it, so that memory use does not grow with the chain. While finality is stalled the window is bounded by weight.
 * Blocks without room there are kept like those below it, in two generations: when the young one is full, the old one
 * is dropped.
 */
export class MetadataCache {
  private readonly open = new WeighedBlocks();
  /** They may state any height, and any of them may be a latest message for ever. */
  private readonly invalid = new WeighedBlocks();
  private young = new WeighedBlocks();
  private old = new WeighedBlocks();
  private openFrom: bigint | undefined;

  /** Blocks that are held now. */
  get size(): number {
    return this.open.size + this.invalid.size + this.young.size + this.old.size;
  }

  get(key: string): BlockMetadata | undefined {
    const found = this.open.get(key) ?? this.young.get(key) ?? this.invalid.get(key);
    if (found !== undefined) return found;
    const older = this.old.get(key);
    if (older !== undefined) this.set(older);
    return older;
  }

  /** Holds a block, in place of what was held of it. */
  set(metadata: BlockMetadata): void {
    for (const blocks of [this.open, this.invalid, this.young, this.old]) blocks.delete(metadata.key);
    this.placeOf(metadata).set(metadata);
    if (this.young.weight < maxOld.weight && this.young.size < maxOld.blocks) return;
    this.old = this.young;
    this.young = new WeighedBlocks();
  }

  /**
   * Moves the window up, and drops the metadata below it: most of it will not be read again.
   *
   * @cost the blocks of the window, once for every few heights
   */
  finalizedUpTo(number: bigint): void {
    const from = number - deployLifespan;
    if (this.openFrom !== undefined && from < this.openFrom + deployLifespan / 8n) return;
    this.openFrom = from;
    this.open.deleteBelow(from);
  }

  private placeOf({ invalid, number }: BlockMetadata): WeighedBlocks {
    if (invalid) return this.invalid.weight < maxInvalid ? this.invalid : this.young;
    const isOpen = this.openFrom === undefined || number >= this.openFrom;
    return isOpen && this.open.weight < maxOpen ? this.open : this.young;
  }
}

class WeighedBlocks {
  private readonly blocks = new Map<string, BlockMetadata>();
  weight = 0;

  get size(): number {
    return this.blocks.size;
  }

  get(key: string): BlockMetadata | undefined {
    return this.blocks.get(key);
  }

  /** Takes in a block that is not there. */
  set(metadata: BlockMetadata): void {
    this.blocks.set(metadata.key, metadata);
    this.weight += weightOf(metadata);
  }

  delete(key: string): void {
    const metadata = this.blocks.get(key);
    if (metadata === undefined) return;
    this.blocks.delete(key);
    this.weight -= weightOf(metadata);
  }

  deleteBelow(number: bigint): void {
    for (const metadata of this.blocks.values()) if (metadata.number < number) this.delete(metadata.key);
  }
}

function weightOf({ justifications }: BlockMetadata): number {
  return 1 + justifications.length;
}
