import { setImmediate as yieldNow } from "node:timers/promises";
import { toHex } from "@vedette/crypto";
import { dropOldest, errorText } from "@vedette/errors";
import type { DeployNote } from "@vedette/execution";
import type { Block } from "@vedette/protocol";
import type { EventLog } from "./EventLog.js";
import { EventsError } from "./EventsError.js";
import { eventsOfEntry, notesOfEntry, type PlacedEntry, sendsOfEntry, transfersOfEntry } from "./eventsOfEntry.js";
import type { NodeEvent } from "./NodeEvent.js";
import type { NotePort } from "./NotePort.js";
import type { TransferPort } from "./TransferPort.js";

/** The parts of an entry that a reader wants beside its blocks and deploys. */
export interface EntrySelection {
  readonly transfers: boolean;
  /** Why deploys failed, and what they wrote. */
  readonly notes: boolean;
  /** Hashes of the channels with wanted sends, in hex. */
  readonly channels: readonly string[];
}

/** The events of one entry, as far as they were requested. */
class EventsOfOne {
  readonly #placed: PlacedEntry;
  readonly block: Block;
  readonly plain: readonly NodeEvent[];
  #sends: ReadonlyMap<string, readonly NodeEvent[]> | undefined;
  readonly #lists = new Map<string, readonly NodeEvent[]>();
  transfers: readonly NodeEvent[] | undefined;
  notes: readonly NodeEvent[] | undefined;

  constructor(placed: PlacedEntry, block: Block) {
    this.#placed = placed;
    this.block = block;
    this.plain = eventsOfEntry(placed, block);
    if (placed.entry.kind !== "blockAdded") {
      this.transfers = [];
      this.notes = [];
    }
  }

  takeTransfers(transfers: Awaited<ReturnType<TransferPort["transfersOf"]>>): void {
    this.transfers = transfersOfEntry(this.#placed, this.block, transfers);
  }

  takeNotes(notes: readonly DeployNote[]): void {
    this.notes = notesOfEntry(this.#placed, this.block, notes);
  }

  /** Whether all that is wanted is at hand. */
  has({ transfers, notes }: EntrySelection): boolean {
    return (!transfers || this.transfers !== undefined) && (!notes || this.notes !== undefined);
  }

  /** Returns the events after the deploys, and their sends. */
  after({ transfers, notes }: EntrySelection): readonly NodeEvent[] {
    return [...(transfers ? (this.transfers ?? []) : []), ...(notes ? (this.notes ?? []) : [])];
  }

  /** All but sends in one list, the same one for all readers with the same selection. */
  listOf(wants: EntrySelection): readonly NodeEvent[] {
    const key = `${wants.transfers} ${wants.notes}`;
    let list = this.#lists.get(key);
    if (list === undefined) {
      const after = this.after(wants);
      list = after.length === 0 ? this.plain : [...this.plain, ...after];
      this.#lists.set(key, list);
    }
    return list;
  }

  sendsOn(channel: string): readonly NodeEvent[] {
    this.#sends ??= sendsOfEntry(this.#placed, this.block);
    return this.#sends.get(channel) ?? [];
  }
}

/** Where events are made from. */
export interface EntrySources {
  readonly log: EventLog;
  readonly findBlock: (hash: Uint8Array) => Block | undefined;
  readonly transfers: TransferPort | undefined;
  readonly notes: NotePort | undefined;
  readonly nowMs: () => number;
}

/** Entries with events that are kept for other readers. */
const keptEntries = 64;
/** Longest time that making events takes in one turn of the event loop. */
const turnMs = 5;
/** Longest time that transfers of one block are waited for. */
const transfersMs = 60_000;

/**
 * Makes the events of entries, once for all readers; those of older entries a few at a time, so that a reader of the
 * whole log does not keep the node from its work.
 */
export class EntryEvents {
  readonly #sources: EntrySources;
  readonly #kept = new Map<string, EventsOfOne>();
  readonly #underWay = new Map<string, Promise<void>>();
  #turn: Promise<void> | undefined;
  #turnBegunMs = 0;

  constructor(sources: EntrySources) {
    this.#sources = sources;
  }

  /** The events of an entry in their order, when they are at hand. */
  peek(number: number, wants: EntrySelection): readonly NodeEvent[] | undefined {
    const one = this.#kept.get(this.#key(number));
    if (one === undefined || !one.has(wants)) return undefined;
    if (wants.channels.length === 0) return one.listOf(wants);
    const sends = wants.channels.flatMap((channel) => one.sendsOn(channel)).sort((a, b) => a.index - b.index);
    return [...one.plain, ...sends, ...one.after(wants)];
  }

  /** Makes events so that they are at hand. @throws {EventsError} */
  load(number: number, wants: EntrySelection): Promise<void> {
    const key = `${this.#key(number)}${wants.transfers ? "+" : ""}${wants.notes ? "!" : ""}`;
    let loading = this.#underWay.get(key);
    if (loading === undefined) {
      loading = this.#load(number, wants).finally(() => this.#underWay.delete(key));
      this.#underWay.set(key, loading);
    }
    return loading;
  }

  async #load(number: number, wants: EntrySelection): Promise<void> {
    const one = this.#kept.get(this.#key(number)) ?? (await this.#make(number));
    if (wants.transfers && one.transfers === undefined) await this.#loadTransfers(one);
    if (wants.notes && one.notes === undefined) await this.#loadNotes(one);
  }

  async #loadNotes(one: EventsOfOne): Promise<void> {
    const { notes } = this.#sources;
    // For nearly all blocks the record of their execution has the notes, so that this takes no longer than transfers.
    if (notes === undefined || one.block.body.deploys.length === 0) return one.takeNotes([]);
    try {
      one.takeNotes(await notes.notesOf(one.block, AbortSignal.timeout(transfersMs)));
    } catch (error) {
      const hash = toHex(one.block.hash);
      throw new EventsError({ code: "notesUnavailable", hash, reason: errorText(error) }, { cause: error });
    }
  }

  async #loadTransfers(one: EventsOfOne): Promise<void> {
    const { transfers } = this.#sources;
    if (transfers === undefined) return one.takeTransfers([]);
    const hash = toHex(one.block.hash);
    try {
      one.takeTransfers(await transfers.transfersOf(one.block, AbortSignal.timeout(transfersMs)));
    } catch (error) {
      const reason = errorText(error);
      throw new EventsError({ code: "transfersUnavailable", hash, reason }, { cause: error });
    }
  }

  async #make(number: number): Promise<EventsOfOne> {
    await this.#ownTurn();
    const { log, findBlock } = this.#sources;
    const entry = log.read(number);
    if (entry === undefined) {
      const cursor = String(number);
      throw new EventsError({ code: "cursorTooOld", cursor, oldest: log.oldestCursor() });
    }
    const block = findBlock(entry.hash);
    if (block === undefined) throw new EventsError({ code: "blockMissing", hash: toHex(entry.hash) });
    const one = new EventsOfOne({ cursor: log.cursorOf(number), entry }, block);
    this.#kept.set(this.#key(number), one);
    dropOldest(this.#kept, keptEntries);
    return one;
  }

  /** Waits for a turn of the event loop with time left. */
  async #ownTurn(): Promise<void> {
    const { nowMs } = this.#sources;
    for (;;) {
      if (this.#turn === undefined) {
        this.#turnBegunMs = nowMs();
        this.#turn = yieldNow().then(() => {
          this.#turn = undefined;
        });
        return;
      }
      if (nowMs() - this.#turnBegunMs < turnMs) return;
      await this.#turn;
    }
  }

  #key(number: number): string {
    return `${this.#sources.log.id}-${number}`;
  }
}
