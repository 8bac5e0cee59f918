import { emptyBytes, toHex } from "@vedette/crypto";
import type { EventLog } from "@vedette/events";
import { readFacts } from "./blockMessage.js";
import { type EntryMessage, type MessageSource, messageOf } from "./entryMessages.js";
import type { PublisherCursor, PublisherPlace } from "./PublisherCursor.js";
import { alarmMessage, lifeMessage, saidMessage } from "./plainMessages.js";
import { StreamError } from "./StreamError.js";
import { type Statement, StreamNames, type Verdict } from "./StreamNames.js";
import type { StreamPort } from "./StreamPort.js";

/** What a publisher tells of its work. */
export type PublisherEvent =
  /** `isFirst`: nobody had published it before. */
  | {
      readonly type: "published";
      readonly hash: Uint8Array;
      readonly kind: "block" | "final";
      readonly isFirst: boolean;
    }
  /** Another publisher found something else of a block. */
  | { readonly type: "differs"; readonly hash: Uint8Array; readonly own: Verdict; readonly by: string }
  /** The node's log begins after what was published last: what lies between is missing in the stream. */
  | { readonly type: "gap"; readonly from: number; readonly to: number }
  | { readonly type: "begun"; readonly entry: number; readonly newest: number }
  | { readonly type: "failed"; readonly error: StreamError; readonly waitMs: number };

/** What a publisher works with. */
export interface PublisherOptions extends MessageSource {
  readonly log: Pick<EventLog, "id" | "newest" | "oldest" | "read">;
  readonly port: StreamPort;
  readonly cursor: PublisherCursor;
  readonly emit: (event: PublisherEvent) => void;
  /** Whether who writes the log is there; taken for there without. */
  readonly isNodeRunning?: () => Promise<boolean>;
  /** Between two signs of life. */
  readonly lifeMs?: number;
  /** Lets the log be seen as it is now, where another process writes it. */
  readonly refresh?: () => void;
  /** Between two looks at the log. */
  readonly pollMs?: number;
  /** Before a failed piece of work is done again at first; twice as long each time. */
  readonly firstWaitMs?: number;
  /** Entries after which the place is noted; and whenever there is nothing left to do. */
  readonly entriesOfNote?: number;
}

const usualPollMs = 25;
const usualLifeMs = 1_000;
const usualFirstWaitMs = 250;
const longestWaitMs = 10_000;
const usualEntriesOfNote = 50;

/**
 * Puts what a node's log of events tells into a stream: each block with what was found of it and what its state has
 * beside its main parent's, and what became final; in the log's order, so that a block never comes before its parents.
 *
 * It reads what the node has stored and writes nothing there: a server that is slow or away holds up nobody, and is
 * caught up with from the node's own store. What another publisher has put there already is not put there again; where
 * that one found something else of a block, both sides are in the stream, with an alarm. Once a second it tells who
 * listens that it is there and how much is left, and whenever nothing is, so that they know whether a stream that
 * stands still is whole.
 */
export class Publisher {
  readonly #options: PublisherOptions;
  readonly #names: StreamNames;
  #wake: () => void = () => {};
  /** Entries that are not published; `undefined` while that is not known. */
  #left: number | undefined;
  /** When there were none last. */
  #atEndMs: number | undefined;
  #isTelling = false;
  /** Up to which entry of the log the blocks became final together that were looked at last. */
  #finals = { to: 0, last: emptyBytes };

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#names = new StreamNames(options.network);
  }

  /** May be told when something was written to the log. */
  wake(): void {
    this.#wake();
  }

  /** Works until the signal. @throws {StreamError} `otherStream`, `stateMissing`: what does not pass by itself */
  async run(signal: AbortSignal): Promise<void> {
    const { lifeMs = usualLifeMs } = this.#options;
    const life = setInterval(() => void this.#tellOfLife(), lifeMs);
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

  async #tellOfLife(): Promise<void> {
    const { port, publisher, isNodeRunning } = this.#options;
    if (this.#left === undefined || this.#isTelling) return;
    this.#isTelling = true;
    try {
      const isRunning = (await isNodeRunning?.()) ?? true;
      const left = this.#left;
      if (left === undefined) return;
      const behindMs = this.#atEndMs === undefined ? null : Math.round(performance.now() - this.#atEndMs);
      port.tell(this.#names.life(publisher), lifeMessage({ publisher, left, behindMs, isNodeRunning: isRunning }));
    } catch {
      // Whoever listens hears that it is silent.
    } finally {
      this.#isTelling = false;
    }
  }

  async #follow(signal: AbortSignal, onProgress: () => void): Promise<void> {
    const { port, log, cursor, refresh, emit, pollMs = usualPollMs } = this.#options;
    const { entriesOfNote = usualEntriesOfNote } = this.#options;
    const stream = await port.open();
    this.#finals = { to: 0, last: emptyBytes };
    refresh?.();
    let place = this.#placeIn(stream);
    emit({ type: "begun", entry: place.entry, newest: log.newest() });
    let noted = place.entry;
    const note = () => {
      if (noted !== place.entry) cursor.write(place);
      noted = place.entry;
    };
    try {
      while (!signal.aborted) {
        refresh?.();
        const newest = log.newest();
        if (log.id !== place.log) {
          place = this.#placeIn(stream);
          this.#finals = { to: 0, last: emptyBytes };
        }
        const leftBefore = this.#left;
        this.#left = Math.max(0, newest - place.entry);
        if (this.#left === 0) {
          this.#atEndMs = performance.now();
          if (leftBefore !== 0) void this.#tellOfLife();
        }
        if (place.entry >= newest) {
          note();
          await this.#pause(pollMs, signal);
          continue;
        }
        place = { ...place, entry: await this.#publish(place.entry + 1) };
        onProgress();
        if (place.entry - noted >= entriesOfNote) note();
      }
    } finally {
      note();
    }
  }

  /** Where to go on: what was noted of another log, or of another stream, tells nothing. */
  #placeIn(stream: string): PublisherPlace {
    const { log, cursor } = this.#options;
    const noted = cursor.read();
    const newest = log.newest();
    const isKnown = noted?.log === log.id && noted.stream === stream && noted.entry <= newest;
    return { log: log.id, stream, entry: isKnown ? noted.entry : log.oldest() - 1 };
  }

  /** @returns the number of the entry that is done */
  async #publish(number: number): Promise<number> {
    const { log, port, emit } = this.#options;
    const entry = log.read(number);
    if (entry === undefined) {
      const oldest = log.oldest();
      if (oldest <= number) return number;
      emit({ type: "gap", from: number, to: oldest - 1 });
      return oldest - 1;
    }
    const finalWith = () => this.#finalWith(number, entry.hash);
    const message = await messageOf(entry, this.#options, { mostBytes: port.mostBytes, finalWith });
    if (message?.kind === "final") {
      const isFirst = await port.publish(this.#names.final(message.hash), message.bytes);
      const hash = toHex(message.hash);
      await this.#say(hash, "final", hash);
      emit({ type: "published", hash: message.hash, kind: "final", isFirst });
    } else if (message?.kind === "block") await this.#publishBlock(message);
    return number;
  }

  /** What becomes final at the same time stands together in the log, the highest last. */
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

  async #publishBlock({ hash, verdict, message }: EntryMessage & { readonly kind: "block" }): Promise<void> {
    const { port, emit } = this.#options;
    const { content } = message.facts;
    // What the message is made of comes first: one that is there is whole.
    for (const [at, part] of message.parts.entries()) await port.publish(this.#names.part(content, at), part);
    const isFirst = await port.publish(this.#names.block(hash, verdict), message.bytes);
    await this.#say(toHex(hash), verdict, content);
    emit({ type: "published", hash, kind: "block", isFirst });
    const other = verdict === "valid" ? "invalid" : "valid";
    const subject = this.#names.block(hash, other);
    const found = await port.find(subject);
    if (found === undefined) return;
    const { publisher } = readFacts(subject, found).facts;
    if (publisher === this.#options.publisher) return;
    const own = this.#options.publisher;
    const [valid, invalid] = verdict === "valid" ? [own, publisher] : [publisher, own];
    const alarm = { hash: toHex(hash), valid, invalid };
    await port.publish(this.#names.alarm(alarm.hash), alarmMessage(alarm));
    emit({ type: "differs", hash, own: verdict, by: publisher });
  }

  /** Of one message for all nobody can see who else would have sent the same. */
  async #say(hash: string, what: Statement, content: string): Promise<void> {
    const { port, publisher } = this.#options;
    await port.publish(this.#names.said(hash, what, publisher), saidMessage({ content, publisher }));
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
