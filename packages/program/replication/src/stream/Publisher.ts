import { emptyBytes } from "@vedette/crypto";
import type { EventLog } from "@vedette/queries/events";
import { type EntryEvent, EntryPublisher } from "./EntryPublisher.js";
import type { MessageSource } from "./entryMessages.js";
import { PublishedMarks } from "./PublishedMarks.js";
import type { PublisherCursor, PublisherPosition } from "./PublisherCursor.js";
import { lifeMessage } from "./plainMessages.js";
import { StreamError } from "./StreamError.js";
import { StreamNames } from "./StreamNames.js";
import type { PublishedStream, StreamPort } from "./StreamPort.js";

/** Reports about a publisher's work. */
export type PublisherEvent =
  | EntryEvent
  /** The node's log begins after what was published last: what lies between is missing in the stream. */
  | { readonly type: "gap"; readonly from: number; readonly to: number }
  | { readonly type: "begun"; readonly entry: number; readonly newest: number }
  /** Messages were taken out of the stream before their time: all up to this entry are published again. */
  | { readonly type: "purged"; readonly upTo: number }
  | { readonly type: "failed"; readonly error: StreamError; readonly waitMs: number };

/** The parts that a publisher works with. */
export interface PublisherOptions extends MessageSource {
  readonly log: Pick<EventLog, "id" | "newest" | "oldest" | "read">;
  readonly port: StreamPort;
  readonly cursor: PublisherCursor;
  readonly emit: (event: PublisherEvent) => void;
  /** Whether the node that writes the log runs; without it, the node counts as running. */
  readonly isNodeRunning?: () => Promise<boolean>;
  /** Between two signs of life. */
  readonly lifeMs?: number;
  /** Lets the log be seen as it is now, where another process writes it. */
  readonly refresh?: () => void;
  /** Between two looks at the log. */
  readonly pollMs?: number;
  /** Between two looks at what the stream has. */
  readonly lookMs?: number;
  /** Unix milliseconds; by the machine's clock without. */
  readonly nowMs?: () => number;
  /** Before a failed piece of work is done again at first; twice as long each time. */
  readonly firstWaitMs?: number;
  /** Entries after which the place is noted; and whenever there is nothing left to do. */
  readonly entriesOfNote?: number;
}

const usualPollMs = 25;
const usualLifeMs = 1_000;
const usualLookMs = 1_000;
const usualFirstWaitMs = 250;
const longestWaitMs = 10_000;
const usualEntriesOfNote = 50;
const noFinals = { to: 0, last: emptyBytes };

/**
 * Publishes a node's log of events to a stream: each block with its verdict and with its state's changes from the main
 * parent's state, and each finality. It keeps the log's order, so that a block never comes before its parents.
 *
 * It reads what the node has stored and writes nothing there. A server that is slow or away delays nothing: the
 * publisher catches up from the node's store. A message that another publisher has put there is not published again.
 * Where that publisher found something else about a block, both findings are in the stream, with an alarm. A heartbeat
 * reports every second how much is left, and at once when nothing is: it shows readers at the end of a stream whether
 * the stream is complete.
 */
export class Publisher {
  readonly #options: PublisherOptions;
  readonly #names: StreamNames;
  readonly #entries: EntryPublisher;
  #marks = new PublishedMarks();
  #stream: PublishedStream | undefined;
  #wake: () => void = () => {};
  /** Entries that are not published; `undefined` while that is not known. */
  #left: number | undefined;
  /** When there were none last. */
  #atEndMs: number | undefined;
  #isReporting = false;
  /** Up to which entry of the log the blocks became final together that were looked at last. */
  #finals = noFinals;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#names = new StreamNames(options.network);
    this.#entries = new EntryPublisher({ ...options, names: this.#names });
  }

  /** Wakes the publisher early, after something was written to the log. */
  wake(): void {
    this.#wake();
  }

  /** Works until the signal. @throws {StreamError} `otherStream`, `stateMissing`: what does not pass by itself */
  async run(signal: AbortSignal): Promise<void> {
    const { lifeMs = usualLifeMs } = this.#options;
    const life = setInterval(() => void this.#reportOfLife(), lifeMs);
    try {
      await this.#keepOn(signal);
    } finally {
      clearInterval(life);
    }
  }

  async #keepOn(signal: AbortSignal): Promise<void> {
    let waitMs = this.#options.firstWaitMs ?? usualFirstWaitMs;
    while (!signal.aborted) {
      try {
        await this.#follow(signal, () => {
          waitMs = this.#options.firstWaitMs ?? usualFirstWaitMs;
        });
      } catch (error) {
        this.#left = undefined;
        this.#atEndMs = undefined;
        if (!(error instanceof StreamError) || error.failure.code !== "unusable") throw error;
        if (signal.aborted) return;
        this.#options.emit({ type: "failed", error, waitMs });
        await this.#pause(waitMs, signal);
        waitMs = Math.min(longestWaitMs, 2 * waitMs);
      }
    }
  }

  async #reportOfLife(): Promise<void> {
    const { port, publisher, isNodeRunning } = this.#options;
    if (this.#left === undefined || this.#isReporting) return;
    this.#isReporting = true;
    try {
      const isRunning = (await isNodeRunning?.()) ?? true;
      const left = this.#left;
      if (left === undefined) return;
      const behindMs = this.#atEndMs === undefined ? null : Math.round(performance.now() - this.#atEndMs);
      port.announce(this.#names.life(publisher), lifeMessage({ publisher, left, behindMs, isNodeRunning: isRunning }));
    } catch {
      // Listeners notice the missing heartbeat.
    } finally {
      this.#isReporting = false;
    }
  }

  async #follow(signal: AbortSignal, onProgress: () => void): Promise<void> {
    const { port, log, refresh, emit, pollMs = usualPollMs, lookMs = usualLookMs } = this.#options;
    const { entriesOfNote = usualEntriesOfNote } = this.#options;
    await port.open();
    refresh?.();
    let place = this.#begin(await port.look());
    let lookedMs = performance.now();
    emit({ type: "begun", entry: place.entry, newest: log.newest() });
    let noted = place;
    const note = () => {
      if (noted.entry !== place.entry || noted.stream !== place.stream) this.#note(place);
      noted = place;
    };
    try {
      while (!signal.aborted) {
        refresh?.();
        if (performance.now() - lookedMs >= lookMs) {
          place = this.#placeIn(await port.look(), place);
          lookedMs = performance.now();
        }
        if (log.id !== place.log) place = this.#begin(this.#stream!);
        const newest = log.newest();
        this.#isLeft(Math.max(0, newest - place.entry));
        if (place.entry >= newest) {
          note();
          await this.#pause(pollMs, signal);
          continue;
        }
        place = { ...place, entry: await this.#publish(place.entry + 1) };
        onProgress();
        if (place.entry - noted.entry >= entriesOfNote) note();
      }
    } finally {
      note();
    }
  }

  #isLeft(left: number): void {
    const before = this.#left;
    this.#left = left;
    if (left > 0) return;
    this.#atEndMs = performance.now();
    if (before !== 0) void this.#reportOfLife();
  }

  #note(place: PublisherPosition): void {
    this.#options.cursor.write({ ...place, marks: [...this.#marks.all] });
  }

  /** Where to go on: a note about another log, or about another stream, is ignored. */
  #begin(stream: PublishedStream): PublisherPosition {
    const { log, cursor } = this.#options;
    this.#stream = stream;
    this.#finals = noFinals;
    const noted = cursor.read();
    const isKnown = noted?.log === log.id && noted.stream === stream.id && noted.entry <= log.newest();
    this.#marks = new PublishedMarks(isKnown ? noted.marks : []);
    const begun = { log: log.id, stream: stream.id, entry: log.oldest() - 1 };
    return isKnown ? this.#placeIn(stream, { ...begun, entry: noted.entry }) : begun;
  }

  /** The same place, unless the stream has lost what it should have. */
  #placeIn(stream: PublishedStream, place: PublisherPosition): PublisherPosition {
    if (stream.id !== place.stream) return this.#begin(stream);
    this.#stream = stream;
    if (!this.#marks.areMissedIn(stream, this.#nowMs())) return place;
    this.#options.emit({ type: "purged", upTo: place.entry });
    this.#marks = new PublishedMarks();
    this.#finals = noFinals;
    return { ...place, entry: this.#options.log.oldest() - 1 };
  }

  #nowMs(): number {
    const { nowMs = Date.now } = this.#options;
    return Math.floor(nowMs());
  }

  /** @returns the number of the entry that is done */
  async #publish(number: number): Promise<number> {
    const { log, emit } = this.#options;
    const entry = log.read(number);
    if (entry === undefined) {
      const oldest = log.oldest();
      if (oldest <= number) return number;
      emit({ type: "gap", from: number, to: oldest - 1 });
      return oldest - 1;
    }
    const published = await this.#entries.publish(entry, () => this.#finalWith(number, entry.hash));
    // The age of what others published long before is unknown here.
    if (published !== undefined && (published.isFirst || number >= log.newest()))
      await this.#mark(number, published.subject);
    return number;
  }

  async #mark(entry: number, subject: string): Promise<void> {
    const atMs = this.#nowMs();
    if (!this.#marks.isDue(this.#stream!, atMs)) return;
    const sequence = await this.#options.port.sequenceOf(subject);
    if (sequence !== undefined) this.#marks.add({ entry, sequence, atMs });
  }

  /** Blocks that become final at the same time are together in the log, the highest last. */
  #finalWith(number: number, hash: Uint8Array): Uint8Array {
    if (number <= this.#finals.to) return this.#finals.last;
    let last = hash;
    for (let to = number; ; to += 1) {
      const entry = this.#options.log.read(to + 1);
      if (entry?.kind !== "blockFinalized") {
        this.#finals = { to, last };
        return last;
      }
      last = entry.hash;
    }
  }

  #pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        this.#wake = () => {};
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener("abort", end);
      this.#wake = end;
      if (signal.aborted) end();
    });
  }
}
