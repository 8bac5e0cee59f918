import { isKey, requireKey } from "../keySize.js";
import { maximumKeyBytes, type Range, type Table } from "../Store.js";

interface Entry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** A table of a {@link MemoryStore}. Keys are texts of one character a byte, so that texts sort as bytes do. */
export class MemoryTable implements Table {
  private readonly entries = new Map<string, Entry>();
  /** The keys in order; `undefined` before they are first read. */
  private ordered: string[] | undefined;
  /** Ranges that are being gone through: they keep to the keys that they began with. */
  private readers = 0;
  /** The entries before the changes of the running write. */
  private readonly before = new Map<string, Entry | undefined>();
  private readonly store: { checkUsable(forWriting: boolean): void };

  constructor(store: { checkUsable(forWriting: boolean): void }) {
    this.store = store;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    this.store.checkUsable(false);
    return isKey(key) ? this.entries.get(textOf(key))?.value.slice() : undefined;
  }

  has(key: Uint8Array): boolean {
    this.store.checkUsable(false);
    return isKey(key) && this.entries.has(textOf(key));
  }

  *range(range: Range = {}): Generator<readonly [Uint8Array, Uint8Array]> {
    this.store.checkUsable(false);
    const { from, to, reverse = false, limit = Number.POSITIVE_INFINITY } = range;
    const keys = this.keysInOrder();
    const step = reverse ? -1 : 1;
    const first = from === undefined ? undefined : textOf(from);
    const last = to === undefined ? undefined : textOf(to);
    let left = limit;
    this.readers += 1;
    try {
      for (let at = startOf(keys, first, reverse); at >= 0 && at < keys.length && left > 0; at += step, left -= 1) {
        const text = keys[at] ?? "";
        if (last !== undefined && (reverse ? text <= last : text >= last)) return;
        const entry = this.entries.get(text);
        if (entry !== undefined) yield [entry.key.slice(), entry.value.slice()];
      }
    } finally {
      this.readers -= 1;
    }
  }

  count(): number {
    this.store.checkUsable(false);
    return this.entries.size;
  }

  put(key: Uint8Array, value: Uint8Array): void {
    this.store.checkUsable(true);
    requireKey(key);
    this.change(textOf(key), { key: new Uint8Array(key), value: new Uint8Array(value) });
  }

  delete(key: Uint8Array): void {
    this.store.checkUsable(true);
    if (isKey(key)) this.change(textOf(key), undefined);
  }

  /** Ends a write: keeps its changes or takes them back. */
  finish(keep: boolean): void {
    if (this.before.size === 0) return;
    if (!keep) for (const [text, entry] of this.before) this.set(text, entry);
    this.before.clear();
  }

  private change(text: string, entry: Entry | undefined): void {
    const known = this.entries.get(text);
    if (known === undefined && entry === undefined) return;
    if (!this.before.has(text)) this.before.set(text, known);
    this.set(text, entry);
  }

  private set(text: string, entry: Entry | undefined): void {
    if (entry === undefined) {
      if (this.entries.delete(text)) this.reorder(text, 1);
      return;
    }
    if (!this.entries.has(text)) this.reorder(text, 0, text);
    this.entries.set(text, entry);
  }

  /** Puts a key into its place, or takes it out. */
  private reorder(text: string, removed: number, ...added: readonly string[]): void {
    const { ordered } = this;
    if (ordered === undefined) return;
    const place = placeOf(ordered, text);
    if (this.readers > 0) this.ordered = ordered.toSpliced(place, removed, ...added);
    else ordered.splice(place, removed, ...added);
  }

  private keysInOrder(): readonly string[] {
    return (this.ordered ??= [...this.entries.keys()].sort());
  }
}

/** Index of the first key to visit. */
function startOf(keys: readonly string[], from: string | undefined, reverse: boolean): number {
  if (from === undefined) return reverse ? keys.length - 1 : 0;
  const place = placeOf(keys, from);
  return reverse && keys[place] !== from ? place - 1 : place;
}

/** Returns the index of a key, or where it would be inserted. */
function placeOf(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? "") < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A bound may be longer than any key; one byte more than keys have decides where it lies among them. */
function textOf(key: Uint8Array): string {
  return Buffer.prototype.latin1Slice.call(key, 0, Math.min(key.length, maximumKeyBytes + 1));
}
