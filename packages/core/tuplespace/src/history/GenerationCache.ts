import { equalBytes } from "@vedette/crypto";

/** An entry of a {@link GenerationCache}. */
export interface CacheEntry {
  readonly hash: Uint8Array;
  readonly memoryBytes: number;
}

/**
 * A cache of content-addressed things, bounded in bytes.
 *
 * Two generations: what is used moves to the young one; when that holds half of the budget, or its time has come, it
 * becomes the old one and what was old is dropped. Nearly as good as "least recently used", without links to mend at
 * each hit. Entries are found by the first 30 bits of their hash and compared in full, so that a clash is a miss.
 */
export class GenerationCache<Entry extends CacheEntry> {
  private young = new Map<number, Entry>();
  private old = new Map<number, Entry>();
  private youngBytes = 0;
  private oldBytes = 0;

  constructor(private readonly budgetBytes: number) {}

  get(hash: Uint8Array): Entry | undefined {
    const key = shortKey(hash);
    const found = this.young.get(key);
    if (found !== undefined) return equalBytes(found.hash, hash) ? found : undefined;
    const aged = this.old.get(key);
    if (aged === undefined || !equalBytes(aged.hash, hash)) return undefined;
    this.insert(key, aged);
    return aged;
  }

  add(entry: Entry): void {
    this.insert(shortKey(entry.hash), entry);
  }

  get memoryBytes(): number {
    return this.youngBytes + this.oldBytes;
  }

  clear(): void {
    this.young.clear();
    this.old.clear();
    this.youngBytes = 0;
    this.oldBytes = 0;
  }

  private insert(key: number, entry: Entry): void {
    const replaced = this.young.get(key);
    if (replaced !== undefined) this.youngBytes -= replaced.memoryBytes;
    const aged = this.old.get(key);
    if (aged !== undefined) {
      this.old.delete(key);
      this.oldBytes -= aged.memoryBytes;
    }
    this.young.set(key, entry);
    this.youngBytes += entry.memoryBytes;
    if (this.youngBytes * 2 > this.budgetBytes) this.age();
  }

  /** Begins a generation: what is not used until the next one begins is dropped then. */
  age(): void {
    this.old = this.young;
    this.oldBytes = this.youngBytes;
    this.young = new Map();
    this.youngBytes = 0;
  }
}

function shortKey(hash: Uint8Array): number {
  return hash[0]! | (hash[1]! << 8) | (hash[2]! << 16) | ((hash[3]! & 0x3f) << 24);
}
