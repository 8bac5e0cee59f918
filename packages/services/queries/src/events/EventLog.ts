import {
  type BlockMetadata,
  type ChainChange,
  type DagView,
  decideBlocks,
  type FindRejections,
  type ForkFacts,
  forgetRejections,
  knownFrom,
  putUndecided,
  type RejectionInState,
  silentHeights,
  takeFinality,
} from "@vedette/chain";
import { equalBytes, toHex } from "@vedette/crypto";
import { hashKey } from "@vedette/protocol";
import type { ReadableTable, Store, WritableTables } from "@vedette/store";
import { type Cursor, parseCursor, printEntryCursor, printNameCursor } from "./Cursor.js";
import type { EntryNames } from "./EntryNames.js";
import { EventsError } from "./EventsError.js";
import {
  decodeEntry,
  type EntryDeploys,
  encodeEntry,
  entryKey,
  entryNumber,
  factsKey,
  type LogEntry,
} from "./logEntry.js";

/** How a log is kept. */
export interface EventLogOptions {
  /** Has the tables of the chain environment. */
  readonly store: Store;
  /** Random bytes that no other log has. */
  readonly newId: () => Uint8Array;
  /** Entries that are kept; the oldest are dropped. */
  readonly capacity?: number | undefined;
  /** Whether blocks of this network have one parent. */
  readonly hasOneParent: boolean;
  /** Names of entries that all followers of the same stream share; left out: no stream is followed. */
  readonly names?: EntryNames | undefined;
}

/** About 40 bytes each: days of a busy network. */
const defaultCapacity = 500_000;
const idBytes = 8;

/**
 * The durable log of what happened to blocks: each entry is written in the transaction of the change that it records,
 * so that none is lost or doubled whenever the node is killed.
 *
 * A log that does not agree with the chain (it was deleted, or the chain was changed without it) is begun anew under
 * another id; cursors of the former one are known to be so.
 *
 * @spec 40 §8.4
 */
export class EventLog {
  readonly #options: EventLogOptions;
  readonly #capacity: number;
  readonly #table: ReadableTable;
  #dag: DagView | undefined;
  #threshold = 0;
  #findRejections: FindRejections | undefined;
  #id: string | undefined;
  /** Called after a change, perhaps before its transaction has ended. */
  onChange: () => void = () => {};

  constructor(options: EventLogOptions) {
    this.#options = options;
    this.#capacity = options.capacity ?? defaultCapacity;
    this.#table = options.store.table("eventLog");
  }

  /**
   * Must be called before the first change: compares the log with the chain, and begins it anew if need be.
   *
   * @param threshold fault tolerance above which a block is final
   * @param findRejections of the chain; left out: as with rnode
   */
  open(dag: DagView, threshold: number, findRejections?: FindRejections): void {
    this.#dag = dag;
    this.#threshold = threshold;
    this.#findRejections = findRejections;
    this.#options.store.write((tables) => {
      const facts = tables("eventLog").get(factsKey);
      if (facts === undefined || !equalBytes(facts.subarray(idBytes), markOf(tables))) this.#takeOver(tables, dag);
      else this.#trim(tables);
    });
    this.#id = undefined;
  }

  /** Writes what belongs to a change of the chain; for {@link ChainOptions.record}. */
  readonly record = (tables: WritableTables, change: ChainChange): void => {
    const dag = this.#dag;
    if (dag === undefined) return;
    this.#id = undefined;
    if (change.type === "begun") {
      // Readers that wait for the chain to begin have missed nothing.
      if (newestIn(tables("eventLog")) > 0) this.#beginAnew(tables);
      forgetRejections(tables);
      this.#noteRejections(tables, change.block, dag);
      this.#noteUndecided(tables, change.block.number, dag);
      this.#append(tables, [
        { kind: "chainStarted", hash: change.block.hash },
        ...addedAbove(tables, change.block, dag),
      ]);
    } else if (change.type === "revised") this.#append(tables, [addedEntry(tables, change.block)]);
    else if (change.type === "inserted") this.#append(tables, [insertedEntry(tables, change)]);
    else {
      const { hasOneParent } = this.#options;
      const [threshold, findRejections] = [this.#threshold, this.#findRejections];
      this.#append(tables, finalizedEntries(tables, change, { dag, hasOneParent, threshold, findRejections }));
    }
    const facts = tables("eventLog").get(factsKey)!;
    tables("eventLog").put(factsKey, factsOf(facts.subarray(0, idBytes), tables));
    this.onChange();
  };

  /** Notes rejections in blocks that came with a state; no event is sent for them. */
  #noteRejections(tables: WritableTables, block: BlockMetadata, dag: DagView): void {
    if (this.#options.hasOneParent) return;
    takeFinality(tables, { dag, block, ancestors: [], threshold: this.#threshold }, this.#findRejections);
  }

  /** Which log this is. */
  get id(): string {
    // Another one begins in a transaction that may be undone, so it is read again after each change.
    return (this.#id ??= toHex(this.#table.get(factsKey)!.subarray(0, idBytes)));
  }

  /** Number of the newest entry; 0 for an empty log. */
  newest(): number {
    this.#id = undefined;
    return newestIn(this.#table);
  }

  /** Number of the oldest entry that is kept; one more than the newest for an empty log. */
  oldest(): number {
    for (const [key] of this.#table.range({ from: entryKey(0), limit: 1 })) return entryNumber(key) ?? 1;
    return 1;
  }

  /** @returns `undefined` when it is kept no longer, or not there yet. @throws {EventsError} `entryDamaged` */
  read(number: number): LogEntry | undefined {
    const bytes = this.#table.get(entryKey(number));
    return bytes === undefined ? undefined : decodeEntry(number, bytes);
  }

  /** The cursor after all events of an entry. */
  cursorOf(entry: number): string {
    const name = this.#options.names?.nameOf(entry);
    return name === undefined ? printEntryCursor(this.id, entry) : printNameCursor(name.log, name.sequence, name.nth);
  }

  /**
   * The place that a cursor names.
   *
   * @throws {EventsError} `cursorMalformed`, `cursorUnknown`, `cursorTooOld`, `cursorAhead`
   */
  placeOf(text: string): { readonly entry: number; readonly part?: number; readonly index?: number } {
    if (text === "newest") return { entry: this.newest() };
    if (text === "oldest") return { entry: this.oldest() - 1 };
    const parsed = parseCursor(text);
    if (parsed === undefined) throw new EventsError({ code: "cursorMalformed", cursor: text });
    const cursor = this.#ownCursor(parsed, text);
    const newest = this.newest();
    // With the disk's former content a node may come back to an earlier place of the same log.
    if (cursor.log !== this.id || cursor.entry > newest)
      throw new EventsError({ code: "cursorUnknown", cursor: text, oldest: this.oldestCursor() });
    const next = cursor.part === undefined ? cursor.entry + 1 : cursor.entry;
    if (next < this.oldest())
      throw new EventsError({ code: "cursorTooOld", cursor: text, oldest: this.oldestCursor() });
    return cursor;
  }

  /** The cursor before everything that is kept. */
  oldestCursor(): string {
    return printEntryCursor(this.id, this.oldest() - 1);
  }

  /** One of a stream, as one of this log. */
  #ownCursor(cursor: Cursor, text: string): Cursor {
    const { log, entry: sequence, nth, ...within } = cursor;
    if (nth === undefined) return cursor;
    const found = this.#options.names?.find({ log, sequence, nth });
    if (found?.kind === "here") return { log: this.id, entry: found.entry, ...within };
    if (found?.kind === "ahead") throw new EventsError({ code: "cursorAhead", cursor: text });
    const code = found === undefined ? "cursorUnknown" : "cursorTooOld";
    throw new EventsError({ code, cursor: text, oldest: this.oldestCursor() });
  }

  #append(tables: WritableTables, entries: readonly LogEntry[]): void {
    const log = tables("eventLog");
    let number = newestIn(log);
    for (const entry of entries) {
      number += 1;
      log.put(entryKey(number), encodeEntry(entry));
      if (number > this.#capacity) log.delete(entryKey(number - this.#capacity));
    }
    const { names } = this.#options;
    names?.add(tables, number - entries.length + 1, entries.length);
    if (number > this.#capacity) names?.trim(tables, number - this.#capacity + 1);
  }

  /** Begins upon a chain that is there already. */
  #takeOver(tables: WritableTables, dag: DagView): void {
    this.#beginAnew(tables);
    this.#noteUndecided(tables, dag.lastFinalized()?.number ?? -1n, dag);
  }

  /** Notes the blocks of a chain that is there already and that may still become final. */
  #noteUndecided(tables: WritableTables, lastFinal: bigint, dag: DagView): void {
    let from = lastFinal + 1n;
    // With several parents also what is beside the last final block may.
    if (!this.#options.hasOneParent) {
      const lowest = lastFinal - silentHeights;
      const known = knownFrom(dag);
      from = lowest > known ? lowest : known;
    }
    for (const { hash } of dag.blocksByHeight(from, dag.nextBlockNumber())) {
      const block = dag.require(hash);
      if (!block.finalized) putUndecided(tables, block);
    }
  }

  #beginAnew(tables: WritableTables): void {
    for (const name of ["eventLog", "undecidedBlocks"] as const)
      for (const [key] of [...tables(name).range()]) tables(name).delete(key);
    this.#options.names?.clear(tables);
    tables("eventLog").put(factsKey, factsOf(this.#options.newId().slice(0, idBytes), tables));
  }

  /** After the capacity was made smaller. */
  #trim(tables: WritableTables): void {
    const log = tables("eventLog");
    const first = newestIn(log) - this.#capacity + 1;
    if (first <= 1) return;
    for (const [key] of [...log.range({ from: entryKey(0), to: entryKey(first) })]) log.delete(key);
  }
}

/** Entries for blocks that are higher than the first one: a node that begins at a state may get such beside it. */
function addedAbove(tables: WritableTables, { number }: BlockMetadata, dag: DagView): LogEntry[] {
  const above = [...dag.blocksByHeight(number + 1n, dag.nextBlockNumber())];
  return above.map(({ hash }) => addedEntry(tables, dag.require(hash)));
}

function insertedEntry(tables: WritableTables, change: ChainChange & { readonly type: "inserted" }): LogEntry {
  const { block, reason } = change;
  return block.invalid ? { kind: "blockInvalid", hash: block.hash, reason } : addedEntry(tables, block);
}

function addedEntry(tables: WritableTables, block: BlockMetadata): LogEntry {
  if (!block.finalized) putUndecided(tables, block);
  return { kind: "blockAdded", hash: block.hash };
}

function finalizedEntries(
  tables: WritableTables,
  { block, ancestors }: ChainChange & { readonly type: "finalized" },
  facts: ForkFacts & { readonly threshold: number; readonly findRejections: FindRejections | undefined },
): LogEntry[] {
  const finalized = [...ancestors, block].sort(byHeight);
  const forkedAway = decideBlocks(tables, finalized, facts);
  const { dag, hasOneParent, threshold, findRejections } = facts;
  const { rejected, restored } = hasOneParent
    ? nothing
    : takeFinality(tables, { dag, block, ancestors, threshold }, findRejections);
  const lacking = byBlock(tables, rejected);
  const entries: LogEntry[] = [];
  for (const { hash, key } of finalized) {
    entries.push({ kind: "blockFinalized", hash, deploys: lacking.get(key)?.deploys });
    lacking.delete(key);
  }
  for (const { hash, deploys } of lacking.values()) entries.push({ kind: "deploysRejected", hash, deploys });
  for (const { hash, deploys } of byBlock(tables, restored).values())
    entries.push({ kind: "deploysRestored", hash, deploys });
  for (const hash of forkedAway) entries.push({ kind: "blockOrphaned", hash });
  return entries;
}

const nothing = { rejected: [], restored: [] } as const;

/** The deploys of each block, of the blocks that are stored. */
function byBlock(
  tables: WritableTables,
  rejections: readonly RejectionInState[],
): Map<string, { readonly hash: Uint8Array; readonly deploys: EntryDeploys }> {
  const found = new Map<string, { hash: Uint8Array; deploys: { rejectedBy: Uint8Array; idHashes: Uint8Array[] } }>();
  for (const { blockHash: hash, idHash, rejectedBy } of rejections) {
    const key = hashKey(hash);
    const known = found.get(key);
    if (known !== undefined) known.deploys.idHashes.push(idHash);
    else if (tables("blocks").has(hash)) found.set(key, { hash, deploys: { rejectedBy, idHashes: [idHash] } });
  }
  return found;
}

function byHeight(left: BlockMetadata, right: BlockMetadata): number {
  return left.number < right.number ? -1 : left.number > right.number ? 1 : 0;
}

function newestIn(table: ReadableTable): number {
  for (const [key] of table.range({ reverse: true, limit: 1 })) return entryNumber(key) ?? 0;
  return 0;
}

/** How far the chain is: a log that was written with it has the same mark. */
function markOf(tables: WritableTables): Uint8Array {
  const last = tables("lastFinalized").get(Uint8Array.of(0));
  const mark = new Uint8Array(8 + (last?.length ?? 0));
  new DataView(mark.buffer).setBigUint64(0, BigInt(tables("blockMetadata").count()));
  if (last !== undefined) mark.set(last, 8);
  return mark;
}

function factsOf(id: Uint8Array, tables: WritableTables): Uint8Array {
  const mark = markOf(tables);
  const facts = new Uint8Array(idBytes + mark.length);
  facts.set(id);
  facts.set(mark, idBytes);
  return facts;
}
