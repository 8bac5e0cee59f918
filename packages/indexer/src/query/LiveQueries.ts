import { createHash } from "node:crypto";
import type { GraphqlRequest } from "../graphql/GraphqlEngine.js";
import type { IndexQueries } from "./IndexQueries.js";

/** Who is told of what a query answers. */
export interface LiveListener {
  /** An answer that differs from the one before, as JSON; the same bytes for all who are told of it. */
  readonly next: (answer: Uint8Array) => void;
  /** The query cannot be answered: errors as JSON. Nothing more is told. */
  readonly refused: (json: string) => void;
}

interface LiveQuery {
  readonly request: GraphqlRequest;
  readonly listeners: Set<LiveListener>;
  /** Those of them who have not had an answer yet. */
  readonly fresh: Set<LiveListener>;
  /** Aborts when nobody listens any more. */
  readonly end: AbortController;
  /** Questions that are being answered. */
  asked: number;
  /** A hash of the answer: many long answers would fill the memory. */
  last: string | undefined;
}

/** Different queries that are kept answered. */
const mostQueries = 500;
const usualRoundMs = 500;

/** Queries that are asked again whenever the index has changed; the same one of many clients is asked once. */
export class LiveQueries {
  readonly #queries: Pick<IndexQueries, "graphql" | "onChange">;
  readonly #roundMs: number;
  readonly #live = new Map<string, LiveQuery>();
  #stopListening: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;
  #isStale = false;

  /** @param roundMs least milliseconds between two rounds of questions */
  constructor(queries: Pick<IndexQueries, "graphql" | "onChange">, roundMs = usualRoundMs) {
    this.#queries = queries;
    this.#roundMs = roundMs;
  }

  /** @returns how to end it; `undefined` when there are too many already */
  add(request: GraphqlRequest, listener: LiveListener): (() => void) | undefined {
    const key = JSON.stringify([request.query, request.operationName, request.variables]);
    let live = this.#live.get(key);
    if (live === undefined) {
      if (this.#live.size >= mostQueries) return undefined;
      live = { request, listeners: new Set(), fresh: new Set(), end: new AbortController(), asked: 0, last: undefined };
      this.#live.set(key, live);
    }
    live.listeners.add(listener);
    live.fresh.add(listener);
    this.#stopListening ??= this.#queries.onChange(() => this.#changed());
    // Who comes while it is being answered gets that answer.
    if (live.asked === 0) void this.#ask(live);
    return () => {
      live.listeners.delete(listener);
      live.fresh.delete(listener);
      if (live.listeners.size > 0 || this.#live.get(key) !== live) return;
      this.#live.delete(key);
      live.end.abort();
      if (this.#live.size === 0) this.#stop();
    };
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

  /** Sends an answer that differs from the one before to everybody, and any answer to who has not had one yet. */
  async #ask(live: LiveQuery): Promise<void> {
    live.asked += 1;
    try {
      const { json, isRefused } = await this.#queries.graphql(live.request, live.end.signal);
      const hash = createHash("sha256").update(json).digest("base64");
      const told = [...(hash === live.last ? live.fresh : live.listeners)];
      if (!isRefused) live.last = hash;
      live.fresh.clear();
      const answer = told.length === 0 ? new Uint8Array() : Buffer.from(json);
      for (const listener of told) {
        if (!live.listeners.has(listener)) continue;
        if (isRefused) listener.refused(JSON.stringify((JSON.parse(json) as { errors: unknown }).errors));
        else listener.next(answer);
      }
    } catch {
      // The index does not answer now: it is asked again when it has changed.
      if (!live.end.signal.aborted) this.#isStale = true;
    } finally {
      live.asked -= 1;
    }
  }
}
