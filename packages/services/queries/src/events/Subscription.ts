import { eventCloseCodes } from "@vedette/api";
import type { TakeTurn } from "@vedette/executor/threads";
import { printEventCursor } from "./Cursor.js";
import type { EntryEvents } from "./EntryEvents.js";
import type { EventFilter } from "./EventFilter.js";
import type { EventLog } from "./EventLog.js";
import type { EventSink } from "./EventSink.js";
import { EventsError } from "./EventsError.js";
import { batchOf, type NodeEvent } from "./NodeEvent.js";
import { endMs } from "./WebSocketSink.js";

/** Where a reader begins: after an event, or after all of an entry. */
export interface StartPlace {
  readonly entry: number;
  readonly part?: number;
  readonly index?: number;
}

/** The parts that a subscription reads and writes. */
export interface SubscriptionParts {
  readonly log: EventLog;
  readonly entries: EntryEvents;
  readonly filter: EventFilter;
  readonly sink: EventSink;
  readonly place: StartPlace;
  /** Monotonic. */
  readonly nowMs: () => number;
  /** Number of the newest entry. */
  readonly newest: () => number;
  readonly takeTurn: TakeTurn;
}

/** Limits of one reader. */
export interface ReaderLimits {
  /** Bytes that a connection keeps for a reader that is slower than the events; not fewer than streams do anyway. */
  readonly keptBytes: number;
  /** Longest time that a reader takes nothing while events wait. */
  readonly blockedMs: number;
  /** Entries that may come while a reader takes nothing. */
  readonly blockedEntries: number;
  /** Silence after which a heartbeat is sent. */
  readonly heartbeatMs: number;
}

/** Usual limits. */
export const readerLimits: ReaderLimits = {
  keptBytes: 128 << 10,
  blockedMs: 30_000,
  blockedEntries: 1_000,
  heartbeatMs: 15_000,
};

/** Time for a reader that is behind to receive the message about it. */
const behindMs = 30_000;
/** Entries that are sent before others get their turn. */
const entriesAtOnce = 64;
/** Bytes of an entry's events that are sent as one piece. */
const maxTotal = 32 << 10;

/**
 * One reader of the log. It has no queue: it goes on reading when its connection has room, so that a slow reader costs
 * no more than a fast one; one that does not read at all is sent away.
 */
export class Subscription {
  readonly #parts: SubscriptionParts;
  readonly #limits: ReaderLimits;
  readonly #logId: string;
  /** All up to this entry is done, beside the events of the next one up to `#part`, `#index`. */
  #entry: number;
  #part = -1;
  #index = -1;
  #cursor: string;
  #isBusy = false;
  #hasEnded = false;
  #sentMs: number;
  #blocked: { readonly sinceMs: number; readonly newest: number } | undefined;

  constructor(parts: SubscriptionParts, limits: ReaderLimits) {
    this.#parts = parts;
    this.#limits = limits;
    const { log, place, sink, filter } = parts;
    this.#logId = log.id;
    this.#sentMs = parts.nowMs();
    if (place.part === undefined) this.#entry = place.entry;
    else {
      this.#entry = place.entry - 1;
      this.#part = place.part;
      this.#index = place.index ?? -1;
    }
    this.#cursor =
      place.part === undefined
        ? log.cursorOf(place.entry)
        : printEventCursor(log.cursorOf(place.entry), place.part, place.index ?? -1);
    sink.onRoom = () => this.#goOn();
    const names = filter.names.map(({ name, channelHash }) => ({ name, channelHash }));
    sink.sendMessage({ kind: "started", cursor: this.#cursor, names });
  }

  /** Whether the stream has ended, though the connection may still have to deliver the reason. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Must be called when the log has new entries, and once at the beginning. */
  advance(): void {
    if (this.#hasEnded) return;
    if (this.#blocked !== undefined) this.#checkBlocked();
    else if (!this.#isBusy) this.#read();
  }

  /** Must be called about once a second. */
  tick(): void {
    if (this.#hasEnded) return;
    if (this.#blocked !== undefined) {
      this.#checkBlocked();
      return;
    }
    const { sink, nowMs } = this.#parts;
    if (nowMs() - this.#sentMs < this.#limits.heartbeatMs) return;
    this.#sentMs = nowMs();
    sink.probe();
    if (!this.#hasEnded && !this.#isFull) sink.sendMessage({ kind: "heartbeat", cursor: this.#cursor });
  }

  /** Ends with a last message. */
  end(code: number, kind: "behind" | "closing" | "problem", detail: string, facts: object = {}): Promise<void> {
    const { sink } = this.#parts;
    if (!this.#hasEnded) sink.sendMessage({ kind, cursor: this.#cursor, detail, ...facts });
    this.#hasEnded = true;
    return sink.end(code, kind, kind === "behind" ? behindMs : endMs);
  }

  #read(): void {
    const { log, entries, filter, newest } = this.#parts;
    if (log.id !== this.#logId) {
      this.#fail(this.#otherLog());
      return;
    }
    for (let left = entriesAtOnce; this.#entry < newest(); left -= 1) {
      if (left === 0) {
        this.#after(new Promise((resolve) => setImmediate(resolve)));
        return;
      }
      const number = this.#entry + 1;
      const events = entries.peek(number, filter.wants);
      if (events === undefined) {
        this.#after(entries.load(number, filter.wants));
        return;
      }
      if (!this.#sendAll(events)) {
        this.#blocked = { sinceMs: this.#parts.nowMs(), newest: newest() };
        return;
      }
      this.#entry = number;
      this.#part = -1;
      this.#index = -1;
      this.#cursor = log.cursorOf(number);
    }
  }

  /** @returns false when the connection has no room for all of them */
  #sendAll(events: readonly NodeEvent[]): boolean {
    const { filter, sink } = this.#parts;
    if (this.#part < 0 && events.length > 1 && events.every((event) => filter.passes(event))) {
      const { last, bytes } = batchOf(events);
      if (bytes <= maxTotal) {
        if (this.#isFull) return false;
        this.#sent(last);
        sink.sendAll(events);
        return true;
      }
    }
    for (const event of events) {
      if (this.#isDone(event) || !filter.passes(event)) continue;
      if (this.#isFull) return false;
      this.#send(event);
    }
    return true;
  }

  get #isFull(): boolean {
    return this.#parts.sink.keptBytes >= this.#limits.keptBytes;
  }

  #isDone({ part, index }: NodeEvent): boolean {
    return part < this.#part || (part === this.#part && index <= this.#index);
  }

  #send(event: NodeEvent): void {
    this.#sent(event);
    this.#parts.sink.send(event);
  }

  #sent({ part, index, cursor }: NodeEvent): void {
    this.#part = part;
    this.#index = index;
    this.#cursor = cursor;
    this.#sentMs = this.#parts.nowMs();
  }

  #after(ready: Promise<unknown>): void {
    this.#isBusy = true;
    ready.then(
      () => {
        // Many readers wait for the same.
        this.#parts.takeTurn(() => {
          this.#isBusy = false;
          if (!this.#hasEnded) this.#read();
        });
      },
      (error: unknown) => {
        this.#isBusy = false;
        if (!this.#hasEnded) this.#fail(error);
      },
    );
  }

  #goOn(): void {
    if (this.#blocked === undefined || this.#hasEnded) return;
    this.#blocked = undefined;
    this.#read();
  }

  #checkBlocked(): void {
    const { nowMs, newest } = this.#parts;
    const { sinceMs, newest: before } = this.#blocked!;
    if (nowMs() - sinceMs < this.#limits.blockedMs && newest() - before <= this.#limits.blockedEntries) return;
    const detail = "Events come faster than they are read; resume after this cursor.";
    void this.end(eventCloseCodes.behind, "behind", detail);
  }

  #otherLog(): EventsError {
    return new EventsError({ code: "cursorUnknown", cursor: this.#cursor, oldest: this.#parts.log.oldestCursor() });
  }

  #fail(error: unknown): void {
    if (!(error instanceof EventsError)) {
      void this.end(
        eventCloseCodes.unavailable,
        "problem",
        "The node could not read an event; its log has the reason.",
      );
      return;
    }
    const { failure } = error;
    const isGone = failure.code === "cursorTooOld" || failure.code === "cursorUnknown";
    const facts = isGone ? { code: failure.code, oldest: failure.oldest } : { code: failure.code };
    void this.end(isGone ? eventCloseCodes.cursorGone : eventCloseCodes.unavailable, "problem", error.message, facts);
  }
}
