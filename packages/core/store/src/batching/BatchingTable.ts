import { isKey, requireKey } from "../keySize.js";
import { maximumKeyBytes, type Range, type ReadableTable, type Table } from "../Store.js";

/** The entry of a key before it is on disk; without a value if it was deleted. */
interface Entry {
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
  /** Whether the table below has the key; `undefined` before it is counted. */
  isBelow: boolean | undefined;
}

/** The operations of a grouped store that its tables use. */
export interface BatchingStoreOptions {
  checkUsable(forWriting: boolean): void;
  /** Adds to the bytes that are held; negative when they are released. */
  held(bytes: number): void;
}

/**
 * A table with changes that are held in memory, on top of the table that they will go to. Keys are texts of one
 * character a byte, so that texts sort as bytes do.
 */
export class BatchingTable implements Table {
  private readonly entries = new Map<string, Entry>();
  /** The keys in order; `undefined` until they are read again. */
  private ordered: readonly string[] | undefined;
  /** The entries before the changes of the running write. */
  private readonly before = new Map<string, Entry | undefined>();
  private readonly below: ReadableTable;
  private readonly use: BatchingStoreOptions;

  constructor(below: ReadableTable, use: BatchingStoreOptions) {
    this.below = below;
    this.use = use;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    this.use.checkUsable(false);
    if (!isKey(key)) return undefined;
    const entry = this.entries.get(textOf(key));
    return entry === undefined ? this.below.get(key) : entry.value?.slice();
  }

  has(key: Uint8Array): boolean {
    this.use.checkUsable(false);
    if (!isKey(key)) return false;
    const entry = this.entries.get(textOf(key));
    return entry === undefined ? this.below.has(key) : entry.value !== undefined;
  }

  *range(range: Range = {}): Generator<readonly [Uint8Array, Uint8Array]> {
    this.use.checkUsable(false);
    const { limit = Number.POSITIVE_INFINITY, reverse = false } = range;
    const sign = reverse ? -1 : 1;
    const own = this.keysWithin(range);
    let at = 0;
    let left = limit;
    if (left <= 0) return;
    for (const [key, value] of this.below.range({ from: range.from, to: range.to, reverse })) {
      const text = textOf(key);
      for (; at < own.length && sign * compareTexts(own[at]!, text) < 0; at += 1) {
        const entry = this.valueOf(own[at]!);
        if (entry === undefined) continue;
        yield entry;
        if (--left <= 0) return;
      }
      const isOwn = own[at] === text;
      if (isOwn) at += 1;
      const found = isOwn ? this.valueOf(text) : ([key, value] as const);
      if (found === undefined) continue;
      yield found;
      if (--left <= 0) return;
    }
    for (; at < own.length; at += 1) {
      const entry = this.valueOf(own[at]!);
      if (entry === undefined) continue;
      yield entry;
      if (--left <= 0) return;
    }
  }

  count(): number {
    this.use.checkUsable(false);
    let count = this.below.count();
    for (const entry of this.entries.values()) {
      entry.isBelow ??= this.below.has(entry.key);
      count += Number(entry.value !== undefined) - Number(entry.isBelow);
    }
    return count;
  }

  put(key: Uint8Array, value: Uint8Array): void {
    this.use.checkUsable(true);
    requireKey(key);
    this.change(textOf(key), { key: new Uint8Array(key), value: new Uint8Array(value), isBelow: undefined });
  }

  delete(key: Uint8Array): void {
    this.use.checkUsable(true);
    if (isKey(key)) this.change(textOf(key), { key: new Uint8Array(key), value: undefined, isBelow: undefined });
  }

  /** Ends a write: keeps its changes or takes them back. */
  finish(keep: boolean): void {
    if (this.before.size === 0) return;
    if (!keep) for (const [text, entry] of this.before) this.set(text, entry);
    this.before.clear();
  }

  /**
   * Writes all pending entries into the table below, in the order of the keys: neighbors are on the same pages, which
   * saves up to a fifth of the time. {@link clear} drops them when they are on disk.
   */
  writeTo(table: Table): void {
    for (const text of this.#keysInOrder()) {
      const { key, value } = this.entries.get(text)!;
      if (value === undefined) table.delete(key);
      else table.put(key, value);
    }
  }

  clear(): void {
    for (const entry of this.entries.values()) this.use.held(-bytesOf(entry));
    this.entries.clear();
    this.ordered = undefined;
  }

  get isEmpty(): boolean {
    return this.entries.size === 0;
  }

  private change(text: string, entry: Entry): void {
    const known = this.entries.get(text);
    if (!this.before.has(text)) this.before.set(text, known);
    entry.isBelow = known?.isBelow;
    this.set(text, entry);
  }

  private set(text: string, entry: Entry | undefined): void {
    const known = this.entries.get(text);
    this.use.held((entry === undefined ? 0 : bytesOf(entry)) - (known === undefined ? 0 : bytesOf(known)));
    if ((entry === undefined) !== (known === undefined)) this.ordered = undefined;
    if (entry === undefined) this.entries.delete(text);
    else this.entries.set(text, entry);
  }

  private valueOf(text: string): readonly [Uint8Array, Uint8Array] | undefined {
    const entry = this.entries.get(text);
    return entry?.value === undefined ? undefined : [entry.key.slice(), entry.value.slice()];
  }

  #keysInOrder(): readonly string[] {
    return (this.ordered ??= [...this.entries.keys()].sort(compareTexts));
  }

  /** The keys that are held within a range, in its order. */
  private keysWithin({ from, to, reverse = false }: Range): readonly string[] {
    if (this.entries.size === 0) return [];
    const [first, end] = [from && textOf(from), to && textOf(to)];
    const isWithin = (text: string) =>
      reverse
        ? (first === undefined || text <= first) && (end === undefined || text > end)
        : (first === undefined || text >= first) && (end === undefined || text < end);
    // A range holds few of the keys: to order these alone costs a tenth of ordering all after each change.
    const keys = this.ordered?.filter(isWithin) ?? [...this.entries.keys()].filter(isWithin).sort(compareTexts);
    return reverse ? keys.reverse() : keys;
  }
}

function bytesOf({ key, value }: Entry): number {
  return key.length + (value?.length ?? 0);
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** A bound may be longer than any key; one byte more than keys have decides where it lies among them. */
function textOf(key: Uint8Array): string {
  return Buffer.prototype.latin1Slice.call(key, 0, Math.min(key.length, maximumKeyBytes + 1));
}
