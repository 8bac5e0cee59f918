import type { BlockMetadata } from "./BlockMetadata.js";

/** Bound on the entries kept: a block counts as one and one for each of its justifications. */
const maximumWeight = 60_000;

/** The metadata used last: when the young half is full, the old one is forgotten. */
export class MetadataCache {
  private young = new Map<string, BlockMetadata>();
  private old = new Map<string, BlockMetadata>();
  private weight = 0;

  get(key: string): BlockMetadata | undefined {
    const found = this.young.get(key);
    if (found !== undefined) return found;
    const older = this.old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: string, metadata: BlockMetadata): void {
    if (!this.young.has(key)) this.weight += 1 + metadata.justifications.length;
    this.young.set(key, metadata);
    if (this.weight * 2 < maximumWeight) return;
    this.old = this.young;
    this.young = new Map();
    this.weight = 0;
  }
}
