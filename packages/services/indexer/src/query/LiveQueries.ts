import { createHash } from "node:crypto";
import type { GraphqlRequest } from "../graphql/GraphqlEngine.js";
import type { IndexQueries } from "./IndexQueries.js";

/** A subscriber to the answers of a query. */
export interface LiveListener {
  /** The client that its queries are counted for; all without a name are one. */
  readonly client?: string | undefined;
  /** Receives an answer that differs from the one before, as JSON; all subscribers receive the same bytes. */
  readonly next: (answer: Uint8Array) => void;
  /** Receives the errors of a query that cannot be answered, as JSON. Nothing follows. */
  readonly refused: (json: string) => void;
}

interface LiveQuery {
  readonly request: GraphqlRequest;
  readonly listeners: Set<LiveListener>;
  /** Those of them that have not had an answer yet. */
  readonly fresh: Set<LiveListener>;
  /** Aborts when the last listener has left. */
  readonly end: AbortController;
  /** Questions that are being answered. */
  asked: number;
  /** A hash of the answer: many long answers would fill the memory. */
  last: string | undefined;
}

/** Different queries that are kept answered. */
const usualMostQueries = 500;
const usualRoundMs = 500;

/** The errors for a client that has lost, or not got, a place. */
export const tooManySubscriptions = `[{"message":"Too many subscriptions are open; try again later."}]`;

/**
 * Queries that run again whenever the index has changed; the same one of many clients runs once, and counts for the
 * first client. At the limit, the client that has most loses its oldest one to a client with fewer.
 */
export class LiveQueries {
  readonly #queries: Pick<IndexQueries, "graphql" | "onChange">;
  readonly #roundMs: number;
  readonly #maxQueries: number;
  readonly #live = new Map<string, LiveQuery>();
  #stopListening: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;
  #isStale = false;

  /** @param roundMs least milliseconds between two rounds of questions @param maxQueries different ones */
  constructor(
    queries: Pick<IndexQueries, "graphql" | "onChange">,
    roundMs = usualRoundMs,
    maxQueries = usualMostQueries,
  ) {
    this.#queries = queries;
    this.#roundMs = roundMs;
    this.#maxQueries = maxQueries;
  }

  /** @returns how to end it; `undefined` when there are too many already */
  add(request: GraphqlRequest, listener: LiveListener): (() => void) | undefined {
    const key = JSON.stringify([request.query, request.operationName, request.variables]);
    let live = this.#live.get(key);
    if (live === undefined) {
      if (this.#live.size >= this.#maxQueries && !this.#makeRoom(listener.client)) return undefined;
      live = { request, listeners: new Set(), fresh: new Set(), end: new AbortController(), asked: 0, last: undefined };
      this.#live.set(key, live);
    }
    live.listeners.add(listener);
    live.fresh.add(listener);
    this.#stopListening ??= this.#queries.onChange(() => this.#changed());
    // A listener that comes while it is being answered gets that answer.
    if (live.asked === 0) void this.#ask(live);
    return () => this.#leave(key, live, listener);
  }

  #leave(key: string, live: LiveQuery, listener: LiveListener): void {
    live.listeners.delete(listener);
    live.fresh.delete(listener);
    if (live.listeners.size > 0 || this.#live.get(key) !== live) return;
    this.#live.delete(key);
    live.end.abort();
    if (this.#live.size === 0) this.#stop();
  }

  /** Ends queries of the client that has most, if that is more than another one would have. */
  #makeRoom(client: string | undefined): boolean {
    while (this.#live.size >= this.#maxQueries) {
      const counts = new Map<string | undefined, number>();
      for (const live of this.#live.values()) counts.set(ownerOf(live), (counts.get(ownerOf(live)) ?? 0) + 1);
      const [owner, most] = [...counts].reduce((best, other) => (other[1] > best[1] ? other : best));
      if (most <= (counts.get(client) ?? 0) + 1) return false;
      const [key, oldest] = [...this.#live].find(([, live]) => ownerOf(live) === owner)!;
      // The other listeners keep it, and it is counted for one of them then.
      for (const listener of [...oldest.listeners]) {
        if (listener.client !== owner) continue;
        this.#leave(key, oldest, listener);
        listener.refused(tooManySubscriptions);
      }
    }
    return true;
  }

  #stop(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #changed(): void {
    this.#isStale = true;
    if (this.#isRunning) return;
    this.#timer ??= setTimeout(() => void this.#round(), this.#roundMs).unref();
  }

  async #round(): Promise<void> {
    this.#timer = undefined;
    this.#isRunning = true;
    this.#isStale = false;
    for (const live of [...this.#live.values()]) await this.#ask(live);
    this.#isRunning = false;
    if (this.#isStale && this.#live.size > 0) this.#changed();
  }

  /** Sends an answer that differs from the one before to all listeners, and any answer to those without one yet. */
  async #ask(live: LiveQuery): Promise<void> {
    live.asked += 1;
    try {
      const { bytes, isRefused } = await this.#queries.graphql(live.request, { signal: live.end.signal });
      const hash = createHash("sha256").update(bytes).digest("base64");
      const receivers = [...(hash === live.last ? live.fresh : live.listeners)];
      if (!isRefused) live.last = hash;
      live.fresh.clear();
      for (const listener of receivers) {
        if (!live.listeners.has(listener)) continue;
        if (isRefused) listener.refused(errorsOf(bytes));
        else listener.next(bytes);
      }
    } catch {
      // The index does not answer now: the query runs again when it has changed.
      if (!live.end.signal.aborted) this.#isStale = true;
    } finally {
      live.asked -= 1;
    }
  }
}

/** The client that a query is counted for. */
function ownerOf({ listeners }: LiveQuery): string | undefined {
  const [first] = listeners;
  return first?.client;
}

/** The errors of an answer that is refused, as JSON. */
export function errorsOf(bytes: Uint8Array): string {
  return JSON.stringify((JSON.parse(Buffer.from(bytes).toString()) as { errors: unknown }).errors);
}
