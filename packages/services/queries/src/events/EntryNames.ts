import { blake2b256, concatBytes, fromHex, toHex } from "@vedette/crypto";
import type { ReadableTable, Store, WritableTables } from "@vedette/store";

/** The message of a stream that is being taken. */
export interface StreamPlace {
  /** The stream's unique name. */
  readonly stream: string;
  readonly sequence: number;
}

/** The name of an entry at all followers of the same stream. */
export interface EntryName {
  /** Which stream, as a log's id. */
  readonly log: string;
  /** Number of the message. */
  readonly sequence: number;
  /** Which of the entries that the message makes, from 0. */
  readonly nth: number;
}

/**
 * Where an entry of such a name is. `ahead`: its message was not taken yet, or was taken without names a moment ago, so
 * that another follower has it; `gone`: it is kept no longer, or was not.
 */
export type NamedEntry =
  | { readonly kind: "here"; readonly entry: number }
  | { readonly kind: "ahead" }
  | { readonly kind: "gone" };

const holdKey = Uint8Array.of(1);
const byEntry = 2;
const byMessage = 3;
const logBytes = 8;
/**
 * For this time after names began, earlier entries are not reported as gone: a client of several followers finds the
 * same events at another one, and cursors that have names here soon.
 */
const handOverMs = 60_000;
/** Names that are dropped with each change, at most. */
const maxTrimmed = 4;

/**
 * Names of a log's entries that are the same at all followers of one stream: an entry is named by the message that made
 * it. A message makes the same entries everywhere once all that lies before it is decided. For a node that has followed
 * from the first block on, that is always so. A node that began at a later state, or has missed messages, has no names
 * for its entries until a block that came by the stream since has become final.
 *
 * Written in the transactions of the entries.
 *
 * @spec 40 §8.4
 */
export class EntryNames {
  readonly #table: ReadableTable;
  readonly #nowMs: () => number;
  #log: string | undefined;
  #message: (StreamPlace & { readonly isFirst: boolean }) | undefined;

  /**
   * @param store has the tables of the chain environment
   * @param nowMs Unix milliseconds
   */
  constructor(store: Store, nowMs: () => number = () => Date.now()) {
    this.#table = store.table("followed");
    this.#nowMs = nowMs;
  }

  /** Which stream is followed now. */
  follow(stream: string): void {
    this.#log = logOf(stream);
  }

  /** Sets the message that is being applied; `undefined` after it. @param isFirst whether the chain begins with it */
  taking(place: StreamPlace | undefined, isFirst = false): void {
    this.#message = place === undefined ? undefined : { ...place, isFirst };
  }

  /** Whether entries of what is taken next have names. */
  holdsFor(stream: string): boolean {
    return holdsIn(this.#table, logOf(stream));
  }

  /** From the next message on entries have names. */
  hold(tables: WritableTables, stream: string): void {
    tables("followed").put(holdKey, concatBytes(fromHex(logOf(stream)), numbers(this.#nowMs())));
  }

  /** Messages were missed. */
  lapse(tables: WritableTables): void {
    tables("followed").delete(holdKey);
  }

  /** Names entries that are written now. */
  add(tables: WritableTables, first: number, count: number): void {
    if (this.#message === undefined || count === 0) return;
    const { stream, sequence, isFirst } = this.#message;
    const log = logOf(stream);
    // All entries have names, so that none is before them.
    if (isFirst) tables("followed").put(holdKey, concatBytes(fromHex(log), numbers(0)));
    const table = tables("followed");
    if (!holdsIn(table, log)) return;
    const message = messageKey(log, sequence);
    const before = table.get(message);
    const begin = before === undefined ? first : numberIn(before, 0);
    table.put(message, numbers(begin));
    table.put(entryKey(begin), concatBytes(fromHex(log), numbers(sequence, first + count - begin)));
  }

  /** Forgets names of entries before one. */
  trim(tables: WritableTables, oldest: number): void {
    const table = tables("followed");
    const old = [...table.range({ from: entryKey(0), to: entryKey(oldest), limit: maxTrimmed })];
    for (const [key, value] of old) {
      const { log, sequence, count } = nameIn(value);
      if (numberIn(key, 1) + count > oldest) continue;
      table.delete(key);
      table.delete(messageKey(log, sequence));
    }
  }

  /** Forgets all names: the log begins anew. */
  clear(tables: WritableTables): void {
    const table = tables("followed");
    for (const [key] of [...table.range({ from: holdKey })]) table.delete(key);
  }

  /** @returns `undefined` for an entry without such a name */
  nameOf(entry: number): EntryName | undefined {
    for (const [key, value] of this.#table.range({ from: entryKey(entry), to: entryKey(0), reverse: true, limit: 1 })) {
      const { log, sequence, count } = nameIn(value);
      const nth = entry - numberIn(key, 1);
      return nth < count ? { log, sequence, nth } : undefined;
    }
    return undefined;
  }

  /** @returns `undefined` for a stream of which nothing is known here */
  find({ log, sequence, nth }: EntryName): NamedEntry | undefined {
    const found = this.#table.get(messageKey(log, sequence));
    if (found !== undefined) {
      const first = numberIn(found, 0);
      const { count } = nameIn(this.#table.get(entryKey(first))!);
      return nth < count ? { kind: "here", entry: first + nth } : { kind: "gone" };
    }
    const last = [
      ...this.#table.range({
        ...{ from: messageKey(log, Number.MAX_SAFE_INTEGER), to: messageKey(log, 0) },
        ...{ reverse: true, limit: 1 },
      }),
    ];
    const newest = last.map(([key]) => numberIn(key, 1 + logBytes))[0];
    if (newest !== undefined && sequence < newest) return { kind: this.#isHandingOver(log) ? "ahead" : "gone" };
    // Until it is known which stream there is it may be that one.
    if (this.#log === undefined || log === this.#log) return { kind: "ahead" };
    return newest === undefined ? undefined : { kind: "gone" };
  }

  #isHandingOver(log: string): boolean {
    const held = this.#table.get(holdKey);
    if (held === undefined || held.length < 2 * logBytes || !holdsIn(this.#table, log)) return false;
    const sinceMs = this.#nowMs() - numberIn(held, logBytes);
    return sinceMs >= 0 && sinceMs < handOverMs;
  }
}

function holdsIn(table: ReadableTable, log: string): boolean {
  const held = table.get(holdKey);
  return held !== undefined && toHex(held.subarray(0, logBytes)) === log;
}

function logOf(stream: string): string {
  return toHex(blake2b256(new TextEncoder().encode(stream)).subarray(0, logBytes));
}

function nameIn(value: Uint8Array): { readonly log: string; readonly sequence: number; readonly count: number } {
  const log = toHex(value.subarray(0, logBytes));
  return { log, sequence: numberIn(value, logBytes), count: numberIn(value, 2 * logBytes) };
}

function entryKey(entry: number): Uint8Array {
  return concatBytes(Uint8Array.of(byEntry), numbers(entry));
}

function messageKey(log: string, sequence: number): Uint8Array {
  return concatBytes(Uint8Array.of(byMessage), fromHex(log), numbers(sequence));
}

function numbers(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(8 * values.length);
  const view = new DataView(bytes.buffer);
  for (const [at, value] of values.entries()) view.setBigUint64(8 * at, BigInt(value));
  return bytes;
}

function numberIn(bytes: Uint8Array, at: number): number {
  return Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(at));
}
