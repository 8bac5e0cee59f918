import { eventCloseCodes } from "@vedette/api";
import type { Config } from "@vedette/config";
import type { TakeTurn } from "@vedette/executor/threads";
import { ConnectionSlots, type SlotLimits, slotLimits } from "./ConnectionSlots.js";
import type { EntryEvents } from "./EntryEvents.js";
import type { EventFilter } from "./EventFilter.js";
import type { EventLog } from "./EventLog.js";
import type { EventSink } from "./EventSink.js";
import { type ReaderLimits, readerLimits, type StartPlace, Subscription } from "./Subscription.js";

/** How many readers there may be, and what each may cost. */
export interface EventLimits {
  readonly slots?: SlotLimits;
  readonly reader?: ReaderLimits;
}

/** The limits that a configuration sets. @spec 50 §4.1, §5.3 */
export function eventLimitsOf(config: Config): EventLimits {
  return {
    slots: {
      inAll: config["api-server.limits.event-connections"],
      perAddress: config["api-server.limits.event-connections-per-address"],
      limitsOwnMachine: config["api-server.limits.apply-to-localhost"],
    },
    reader: {
      ...readerLimits,
      keptBytes: Number(config["api-server.limits.event-buffer-size"]),
      blockedEntries: config["api-server.limits.event-backlog"],
      blockedMs: config["api-server.limits.event-stall-timeout"],
    },
  };
}

/** The parts from which readers of events are served. */
export interface EventHubOptions {
  readonly log: EventLog;
  readonly entries: EntryEvents;
  /** Monotonic. */
  readonly nowMs: () => number;
  readonly limits?: EventLimits | undefined;
  /** Left out: readers are served as soon as there is something to send. */
  readonly turns?: { readonly take: TakeTurn; readonly isBehind: boolean } | undefined;
  /** Where changes of the log are held before they come to disk; left out: nowhere. */
  readonly held?: { readonly isHolding: boolean; readonly whenOnDisk: TakeTurn } | undefined;
}

const tickMs = 1_000;
/** Readers that are served in one turn of the main thread. */
const readersInTurn = 16;
/**
 * While the node is behind, readers receive the events of several blocks together: a round costs the same for one as
 * for many. It waits for no more changes than the blocks with kept events.
 */
const roundMs = 500;
const maxChanges = 32;

/** All readers of events. */
export class EventHub {
  readonly slots: ConnectionSlots;
  readonly #options: EventHubOptions;
  readonly #takeTurn: TakeTurn;
  readonly #readers = new Set<Subscription>();
  /** The newest entry on disk; `undefined` without readers. None begins while entries are held. */
  #newest: number | undefined;
  #isWoken = false;
  /** Changes that have come since the current round began. */
  #changes = 0;
  #pause: NodeJS.Timeout | undefined;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: EventHubOptions) {
    this.#options = options;
    this.#takeTurn = options.turns?.take ?? ((work) => work());
    this.slots = new ConnectionSlots(options.limits?.slots ?? slotLimits);
    options.log.onChange = () => {
      const { held } = options;
      // A change that is not held comes in the middle of its transaction.
      if (held?.isHolding === true) held.whenOnDisk(() => this.#wake());
      else queueMicrotask(() => this.#wake());
    };
  }

  /** Whether no reader is taken any more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Readers with an ended stream and a reason, and a connection that is not closed yet. */
  get leaving(): number {
    return [...this.#readers].filter(({ hasEnded }) => hasEnded).length;
  }

  /** Serves a reader until its connection ends. */
  serve(sink: EventSink, filter: EventFilter, place: StartPlace): void {
    const { log, entries, nowMs, limits } = this.#options;
    const parts = {
      log,
      entries,
      filter,
      sink,
      place,
      nowMs,
      newest: () => this.#newestEntry(),
      takeTurn: this.#takeTurn,
    };
    const reader = new Subscription(parts, limits?.reader ?? readerLimits);
    this.#readers.add(reader);
    this.#timer ??= setInterval(() => this.#tick(), tickMs).unref();
    sink.onEnd = () => {
      this.#readers.delete(reader);
      if (this.#readers.size > 0) return;
      this.#newest = undefined;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
    if (this.#isClosed) void this.#dismiss(reader);
    else reader.advance();
  }

  /** Notifies all readers that the node is stopping, and closes their streams. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#timer = undefined;
    await Promise.all([...this.#readers].map((reader) => this.#dismiss(reader)));
  }

  #dismiss(reader: Subscription): Promise<void> {
    return reader.end(eventCloseCodes.stopping, "closing", "The node is stopping; resume after this cursor.");
  }

  /** In a moment in which all entries are on disk. Readers are served once for all that come together. */
  #wake(): void {
    this.#changes += 1;
    if (this.#readers.size === 0) return;
    try {
      this.#newest = this.#options.log.newest();
    } catch {
      // The readers meet the same error in their own turn; here it would end the chain's work.
      this.#newest = undefined;
    }
    if (!this.#isWoken) this.#planRound();
    else if (this.#changes >= maxChanges && this.#pause !== undefined) this.#endPause();
  }

  #planRound(): void {
    this.#isWoken = true;
    if (this.#options.turns?.isBehind === true) this.#pause = setTimeout(() => this.#advanceAll(), roundMs).unref();
    else setImmediate(() => this.#advanceAll());
  }

  #endPause(): void {
    clearTimeout(this.#pause);
    this.#pause = undefined;
    setImmediate(() => this.#advanceAll());
  }

  /** Sends new events to all readers. Events that come meanwhile are sent in the next round. */
  #advanceAll(): void {
    this.#pause = undefined;
    this.#changes = 0;
    const readers = [...this.#readers];
    const advance = (start: number): void => {
      if (this.#isClosed) return;
      const end = start + readersInTurn;
      for (const reader of readers.slice(start, end)) reader.advance();
      if (end < readers.length) this.#takeTurn(() => advance(end));
      else if (this.#changes > 0) this.#planRound();
      else this.#isWoken = false;
    };
    this.#takeTurn(() => advance(0));
  }

  #newestEntry(): number {
    return (this.#newest ??= this.#options.log.newest());
  }

  #tick(): void {
    for (const reader of this.#readers) reader.tick();
  }
}
