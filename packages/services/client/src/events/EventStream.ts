import { eventKinds, eventMessage, eventsRoute, parseJson, readBySchema, SchemaError } from "@vedette/api";
import { errorText } from "@vedette/errors";
import { ClientError } from "../failure/ClientError.js";
import { isTransient } from "../failure/isTransient.js";
import { HttpConnection, type OpenAnswer } from "../http/HttpConnection.js";
import { pause } from "../wait/pause.js";
import type { EventMessage, EventStreamOptions, StreamEvent, WatchedName } from "./EventStreamOptions.js";
import { SseParser } from "./SseParser.js";

const defaults = { silenceMs: 45_000, retryPauseMs: 500 };
const longestPauseMs = 15_000;
const call = eventsRoute.name;

/**
 * A node's events, one after the other, none left out and none twice.
 *
 * When the connection is lost the stream goes on at its cursor as soon as the node is back. It reads only as fast as
 * its events are taken: the node disconnects a reader that is slow for long, which then also goes on at its cursor.
 * Cursors hold at every replica of a NATS stream, so that one URL may represent all of these; those of a node that
 * executes are its own. With several URLs the stream stays with the first one that served it.
 *
 * @spec 50 §4
 * @throws {ClientError} `cursorGone` if events after the cursor are no longer kept; if a node refuses, is not there in
 * the beginning, or stays away too long
 */
export class EventStream implements AsyncIterable<StreamEvent> {
  readonly #http: HttpConnection;
  readonly #options: EventStreamOptions;
  #cursor: string | undefined;
  #names: readonly WatchedName[] = [];

  constructor(http: HttpConnection, options: EventStreamOptions = {}) {
    this.#http = new HttpConnection({ ...http.options, url: http.url });
    this.#options = options;
    this.#cursor = options.after;
  }

  /** The position after the last event that was delivered. Keep it to resume in another process. */
  get cursor(): string | undefined {
    return this.#cursor;
  }

  /** The channels of the watched names, known once the stream has begun. */
  get names(): readonly WatchedName[] {
    return this.#names;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamEvent, void, undefined> {
    const { signal, retryPauseMs = defaults.retryPauseMs, onDisconnect } = this.#options;
    let failures = 0;
    let hasBegun = false;
    let lostMs = performance.now();
    while (signal?.aborted !== true) {
      let failure: ClientError | undefined;
      try {
        for await (const message of this.#connection()) {
          hasBegun = true;
          failures = 0;
          lostMs = performance.now();
          this.#note(message);
          if (isEvent(message)) yield message;
        }
      } catch (error) {
        failure = requireClientError(error);
      }
      if (signal?.aborted) return;
      const reason = failure ?? this.#lost("the node ended the stream");
      if (!this.#mayReturn(reason, hasBegun, lostMs)) throw reason;
      onDisconnect?.(reason);
      failures += 1;
      await pause(pauseOf(failures, retryPauseMs), signal);
    }
  }

  #note(message: EventMessage): void {
    this.#cursor = message.cursor;
    if (message.kind === "started") this.#names = message.names;
  }

  /** The messages of one connection. */
  async *#connection(): AsyncGenerator<EventMessage, void, undefined> {
    const { signal } = this.#options;
    const controller = new AbortController();
    const answer = await this.#open(signal ?? controller.signal);
    const parser = new SseParser();
    const decoder = new TextDecoder();
    const reader = answer.body.getReader();
    try {
      for (;;) {
        const chunk = await this.#read(reader, answer);
        if (chunk === undefined) return;
        for (const data of parser.push(decoder.decode(chunk, { stream: true }))) {
          const message = this.#parse(data);
          if (message === undefined) continue;
          this.#checkEnd(message);
          yield message;
        }
      }
    } catch (error) {
      if (error instanceof RangeError) throw this.#notUnderstood(error.message);
      throw error;
    } finally {
      answer.end();
      await reader.cancel().catch(() => {});
    }
  }

  async #open(signal: AbortSignal): Promise<OpenAnswer> {
    try {
      const path = eventsRoute.paths[0] + queryOf(this.#options, this.#cursor);
      return await this.#http.open({ call, method: "GET", path, isRepeatable: true }, signal);
    } catch (error) {
      if (error instanceof ClientError && error.failure.code === "refused" && error.failure.status === 410)
        throw this.#cursorGone(error.failure.problem?.more["oldest"], error);
      throw error;
    }
  }

  /** @returns `undefined` at the end */
  async #read(reader: ReadableStreamDefaultReader<Uint8Array>, answer: OpenAnswer): Promise<Uint8Array | undefined> {
    const { silenceMs = defaults.silenceMs } = this.#options;
    let isSilent = false;
    const timer = setTimeout(() => {
      isSilent = true;
      answer.end();
    }, silenceMs);
    try {
      return (await reader.read()).value;
    } catch (error) {
      throw this.#lost(isSilent ? `nothing came for ${silenceMs} ms` : errorText(error), error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** @returns `undefined` for kinds of events that only f1r3node sends */
  #parse(data: string): EventMessage | undefined {
    const json = parseJson(data);
    if (!(json instanceof Map)) throw this.#notUnderstood("an event is no JSON");
    const kind = json.get("kind");
    if (typeof kind !== "string" || !knownKinds.has(kind)) return undefined;
    try {
      return readBySchema(eventMessage, json, "ignore");
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
      throw this.#notUnderstood(`${kind}.${error.field} ${error.message}`);
    }
  }

  /** @throws {ClientError} if the message ends the stream */
  #checkEnd(message: EventMessage): void {
    if (message.kind !== "behind" && message.kind !== "closing" && message.kind !== "problem") return;
    const isGone = message.code === "cursorTooOld" || message.code === "cursorUnknown";
    throw isGone ? this.#cursorGone(message.oldest) : this.#lost(message.detail);
  }

  #mayReturn(error: ClientError, hasBegun: boolean, lostMs: number): boolean {
    const { failure } = error;
    const { giveUpAfterMs = hasBegun ? Number.POSITIVE_INFINITY : 0 } = this.#options;
    if (performance.now() - lostMs >= giveUpAfterMs) return false;
    return isTransient(error) || (failure.code === "refused" && (failure.status ?? 0) >= 500);
  }

  #cursorGone(oldest: unknown, cause?: unknown): ClientError {
    const failure = {
      code: "cursorGone" as const,
      address: this.#http.url,
      cursor: this.#cursor ?? "newest",
      oldest: typeof oldest === "string" ? oldest : undefined,
    };
    return new ClientError(failure, { cause });
  }

  #lost(reason: string, cause?: unknown): ClientError {
    return new ClientError({ code: "unreachable", address: this.#http.url, reason }, { cause });
  }

  #notUnderstood(reason: string): ClientError {
    return new ClientError({ code: "notUnderstood", address: this.#http.url, call, reason });
  }
}

const happenings: ReadonlySet<string> = new Set(eventKinds);
const knownKinds: ReadonlySet<string> = new Set([
  ...eventKinds,
  "started",
  "heartbeat",
  "behind",
  "closing",
  "problem",
]);

function isEvent(message: EventMessage): message is StreamEvent {
  return happenings.has(message.kind);
}

/** @throws any other error */
function requireClientError(error: unknown): ClientError {
  if (error instanceof ClientError) return error;
  throw error;
}

function queryOf(options: EventStreamOptions, cursor: string | undefined): string {
  const { kinds = [], deployers = [], addresses = [], names = [] } = options;
  const query = new URLSearchParams();
  const filters = { kind: kinds, deployer: deployers, address: addresses, name: names };
  for (const [name, values] of Object.entries(filters)) for (const value of values) query.append(name, value);
  if (cursor !== undefined) query.append("after", cursor);
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

function pauseOf(failures: number, firstMs: number): number {
  // Readers that a node lost together come back apart.
  return Math.min(firstMs * 2 ** (failures - 1), longestPauseMs) * (0.5 + Math.random() / 2);
}
