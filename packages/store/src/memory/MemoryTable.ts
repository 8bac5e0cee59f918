import { isKey, requireKey } from "../keySize.js";
import { maximumKeyBytes, type Range, type Table } from "../Store.js";

/** A table of a {@link MemoryStore}. Keys are texts of one character a byte, so that texts sort as bytes do. */
export class MemoryTable implements Table {
  private readonly values = new Map<string, Uint8Array>();
  /** The keys in order; `undefined` before anybody asks for them. */
  private ordered: string[] | undefined;
  /** What the running write has changed: the values before it. */
  private readonly before = new Map<string, Uint8Array | undefined>();
  private readonly store: { checkUsable(forWriting: boolean): void };

  constructor(store: { checkUsable(forWriting: boolean): void }) {
    this.store = store;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    this.store.checkUsable(false);
    return isKey(key) ? this.values.get(textOf(key))?.slice() : undefined;
  }

  has(key: Uint8Array): boolean {
    this.store.checkUsable(false);
    return isKey(key) && this.values.has(textOf(key));
  }

  *range(range: Range = {}): Generator<readonly [Uint8Array, Uint8Array]> {
    this.store.checkUsable(false);
    const { from, to, reverse = false, limit = Number.POSITIVE_INFINITY } = range;
    const keys = this.keysInOrder();
    const step = reverse ? -1 : 1;
    const first = from === undefined ? undefined : textOf(from);
    const last = to === undefined ? undefined : textOf(to);
    let left = limit;
    for (let at = startOf(keys, first, reverse); at >= 0 && at < keys.length && left > 0; at += step, left -= 1) {
      const key = keys[at] ?? "";
      if (last !== undefined && (reverse ? key <= last : key >= last)) return;
      const value = this.values.get(key);
      if (value !== undefined) yield [bytesOf(key), value.slice()];
    }
  }

  count(): number {
    this.store.checkUsable(false);
    return this.values.size;
  }

  put(key: Uint8Array, value: Uint8Array): void {
    this.store.checkUsable(true);
    requireKey(key);
    this.change(textOf(key), Uint8Array.from(value));
  }

  delete(key: Uint8Array): void {
    this.store.checkUsable(true);
    if (isKey(key)) this.change(textOf(key), undefined);
  }

  /** Ends a write: keeps its changes or takes them back. */
  finish(keep: boolean): void {
    if (!keep) for (const [key, value] of this.before) this.set(key, value);
    this.before.clear();
  }

  private change(key: string, value: Uint8Array | undefined): void {
    if (!this.before.has(key)) this.before.set(key, this.values.get(key));
    this.set(key, value);
  }

  private set(key: string, value: Uint8Array | undefined): void {
    if (value === undefined) {
      if (this.values.delete(key)) this.ordered = this.ordered?.toSpliced(placeOf(this.ordered, key), 1);
      return;
    }
    if (!this.values.has(key)) this.ordered = this.ordered?.toSpliced(placeOf(this.ordered, key), 0, key);
    this.values.set(key, value);
  }

  private keysInOrder(): readonly string[] {
    return (this.ordered ??= [...this.values.keys()].sort());
  }
}

/** Index of the first key to visit. */
function startOf(keys: readonly string[], from: string | undefined, reverse: boolean): number {
  if (from === undefined) return reverse ? keys.length - 1 : 0;
  const place = placeOf(keys, from);
  return reverse && keys[place] !== from ? place - 1 : place;
}

/** Index of a key, or where it would stand. */
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

/** A bound may be longer than any key; one byte more than keys have tells where it lies among them. */
function textOf(key: Uint8Array): string {
  const { buffer, byteOffset, length } = key;
  return Buffer.from(buffer, byteOffset, Math.min(length, maximumKeyBytes + 1)).toString("latin1");
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, "latin1"));
}
