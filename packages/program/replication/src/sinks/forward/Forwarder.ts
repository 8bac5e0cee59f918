import { setTimeout as sleep } from "node:timers/promises";
import { eventAmounts, type JsonValue, printJson } from "@vedette/api";
import type { StreamEvent } from "@vedette/client";
import type { Ordering } from "../choices.js";
import type { Sink, SinkEvent } from "../Sink.js";
import { SinkError } from "../SinkError.js";

/** A node's events. @spec 50 §4.1 */
export interface EventSource extends AsyncIterable<StreamEvent> {
  /** Position after the last event that the source gave, wanted or not. */
  readonly cursor: string | undefined;
}

/** The store of the last event up to which all have been delivered. */
export interface DeliveryCursor {
  read(): string | undefined;
  /** @throws {SinkError} */
  write(cursor: string): void;
}

/** The events of delivery, for people. */
export type ForwardEvent =
  | { readonly type: "begun"; readonly sink: string; readonly after: string }
  | { readonly type: "delivered"; readonly events: number; readonly last: string }
  | { readonly type: "failed"; readonly error: SinkError; readonly tries: number; readonly waitMs: number };

/** The events to deliver, and how. */
export interface ForwarderOptions {
  /** @param after a cursor, `oldest` or `newest` */
  readonly follow: (after: string, signal: AbortSignal) => EventSource;
  readonly sink: Sink;
  readonly note: DeliveryCursor;
  /** Where it begins when nothing was handed on yet. */
  readonly beginning: string;
  readonly ordering: Ordering;
  readonly emit: (event: ForwardEvent) => void;
  readonly times?: Partial<ForwardTimes>;
}

/** In milliseconds. */
export interface ForwardTimes {
  /** Pauses after a failure: the first one, which doubles each time, and the longest. */
  readonly firstRetry: number;
  readonly longestRetry: number;
  /** Between two notes of how far it is. */
  readonly note: number;
  /** For what is on its way when it is ended. */
  readonly grace: number;
}

const usualTimes: ForwardTimes = { firstRetry: 500, longestRetry: 60_000, note: 500, grace: 3_000 };
/** Events that have been read and not handed on; the node keeps what is beyond. */
const maxPending = 256;

interface Pending {
  readonly event: SinkEvent;
  isDone: boolean;
}

/**
 * Hands a node's events on: each at least once, with an id by which doubles are known, those of one key in their order.
 *
 * A failed delivery is tried again without an end; events of other keys are delivered meanwhile, up to the limit.
 * The note never names an event before all until it have been taken, so that a process that is killed leaves none out.
 */
export class Forwarder {
  readonly #use: ForwarderOptions;
  readonly #times: ForwardTimes;
  /** In the order in which the source gave them. */
  readonly #pending: Pending[] = [];
  /** Waiting events by key; a key stays while one of its events is on its way. */
  readonly #lanes = new Map<string, Pending[]>();
  /** Keys in the order of their turn, the next one first. */
  readonly #ready: string[] = [];
  #onTheWay = 0;
  #done: string | undefined;
  #source: EventSource | undefined;
  #failure: unknown;
  #hasRoom: (() => void) | undefined;
  #isQuiet: (() => void) | undefined;
  readonly #reading = new AbortController();
  readonly #ended = new AbortController();

  constructor(use: ForwarderOptions) {
    this.#use = use;
    this.#times = { ...usualTimes, ...use.times };
    this.#reading.signal.addEventListener("abort", () => this.#hasRoom?.(), { once: true });
  }

  /**
   * Works until the signal, or until the source ends.
   *
   * @throws {SinkError} `refused`, `noteWrong`; what the source throws
   */
  async run(signal: AbortSignal): Promise<void> {
    const { sink, note, beginning, emit, follow } = this.#use;
    const stop = () => this.#reading.abort();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    const after = note.read() ?? beginning;
    await this.#open();
    const noting = setInterval(() => this.#note(), this.#times.note);
    try {
      emit({ type: "begun", sink: sink.label, after });
      this.#source = follow(after, this.#reading.signal);
      await this.#read(this.#source).catch((error: unknown) => {
        this.#failure ??= error;
      });
      await this.#finish();
    } finally {
      clearInterval(noting);
      signal.removeEventListener("abort", stop);
      this.#ended.abort();
    }
    this.#note();
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #open(): Promise<void> {
    await this.#untilTaken(() => this.#use.sink.open());
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #read(source: EventSource): Promise<void> {
    for await (const event of source) {
      // Also at the end: an event that was read and is not among these would count as handed on.
      this.#take(event);
      if (!this.#isGoingOn) return;
      while (this.#pending.length >= maxPending && this.#isGoingOn)
        await new Promise<void>((resolve) => {
          this.#hasRoom = resolve;
        });
    }
  }

  #take(event: StreamEvent): void {
    const key = keyOf(event, this.#use.ordering);
    const { cursor: id, kind } = event;
    const body = printJson(event as unknown as JsonValue, eventAmounts);
    const pending = { event: { id, kind, key, body }, isDone: false };
    this.#pending.push(pending);
    const lane = this.#lanes.get(key);
    if (lane !== undefined) {
      lane.push(pending);
      return;
    }
    this.#lanes.set(key, [pending]);
    this.#ready.push(key);
    if (this.#isGoingOn) this.#send();
  }

  #send(): void {
    while (this.#onTheWay < this.#use.sink.maxConcurrent) {
      const key = this.#ready.shift();
      if (key === undefined) return;
      this.#onTheWay += 1;
      void this.#deliver(key).then(
        () => this.#endOfTurn(key),
        (error: unknown) => {
          this.#fail(error);
          this.#endOfTurn(key);
        },
      );
    }
  }

  /** The next events of a key. */
  async #deliver(key: string): Promise<void> {
    const lane = this.#lanes.get(key)!;
    const batch = lane.slice(0, this.#use.sink.maxTotal);
    const events = batch.map(({ event }) => event);
    if (!(await this.#untilTaken(() => this.#use.sink.deliver(events, this.#ended.signal)))) return;
    for (const one of batch) one.isDone = true;
    lane.splice(0, batch.length);
    this.#advance();
    this.#use.emit({ type: "delivered", events: batch.length, last: events.at(-1)!.id });
  }

  #endOfTurn(key: string): void {
    this.#onTheWay -= 1;
    const lane = this.#lanes.get(key)!;
    if (lane.length === 0) this.#lanes.delete(key);
    else if (this.#isGoingOn) this.#ready.push(key);
    if (this.#isGoingOn) this.#send();
    if (this.#onTheWay === 0) this.#isQuiet?.();
  }

  /** Whether it has not been stopped, and nothing has failed for good. */
  get #isGoingOn(): boolean {
    return !this.#reading.signal.aborted;
  }

  /** Goes up to the first event that is still to be taken. */
  #advance(): void {
    let done = 0;
    while (this.#pending[done]?.isDone === true) done += 1;
    if (done === 0) return;
    this.#done = this.#pending[done - 1]!.event.id;
    this.#pending.splice(0, done);
    this.#hasRoom?.();
  }

  /** @returns whether it was taken; otherwise it is the end */
  async #untilTaken(work: () => Promise<void>): Promise<boolean> {
    const { firstRetry, longestRetry } = this.#times;
    for (let tries = 1; ; tries += 1) {
      try {
        await work();
        return true;
      } catch (error) {
        if (!(error instanceof SinkError) || error.failure.code !== "notTaken") {
          this.#fail(error);
          return false;
        }
        if (!this.#isGoingOn) return false;
        // Several that failed together come back apart.
        const waitMs = Math.min(longestRetry, firstRetry * 2 ** Math.min(tries - 1, 20)) * (0.5 + Math.random() / 2);
        this.#use.emit({ type: "failed", error, tries, waitMs: Math.round(waitMs) });
        await sleep(waitMs, undefined, { signal: this.#reading.signal }).catch(() => undefined);
        if (!this.#isGoingOn) return false;
      }
    }
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#reading.abort();
  }

  /** Events that were read are delivered; at the end, those under way are, or are given up. */
  async #finish(): Promise<void> {
    let limit: NodeJS.Timeout | undefined;
    const begin = () => {
      limit = setTimeout(() => this.#ended.abort(), this.#times.grace);
    };
    const { signal } = this.#reading;
    if (signal.aborted) begin();
    else signal.addEventListener("abort", begin, { once: true });
    while (this.#onTheWay > 0)
      await new Promise<void>((resolve) => {
        this.#isQuiet = resolve;
      });
    signal.removeEventListener("abort", begin);
    clearTimeout(limit);
  }

  #note(): void {
    // With nothing pending, events that were read and not wanted count too: a cursor must not grow old.
    const cursor = this.#pending.length === 0 ? (this.#source?.cursor ?? this.#done) : this.#done;
    if (cursor === undefined || isBeginning(cursor)) return;
    try {
      this.#use.note.write(cursor);
    } catch (error) {
      this.#fail(error);
    }
  }
}

/** Whether a cursor is a word such as "newest", which means another place at another time. */
function isBeginning(cursor: string): boolean {
  return cursor === "oldest" || cursor === "newest";
}

/** The key of an event; what has no such member has the chain's. */
function keyOf(event: StreamEvent, ordering: Ordering): string {
  if (ordering === "deploy" && "deployId" in event) return event.deployId;
  if (ordering === "deployer" && "deployer" in event) return event.deployer;
  return "chain";
}
