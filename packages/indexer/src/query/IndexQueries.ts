import { Worker } from "node:worker_threads";
import { ThreadCalls } from "@vedette/workers/threads";
import type { IndexPlace } from "../database/openDatabase.js";
import type { GraphqlAnswer, GraphqlRequest } from "../graphql/GraphqlEngine.js";
import { defaultGraphqlLimits, type GraphqlLimits } from "../graphql/graphqlLimits.js";
import { IndexError } from "../IndexError.js";
import type { SqlAnswer, SqlRequest } from "../sql/SqlEngine.js";
import type { QueryThreadSettings } from "./queryThread.js";

type QueryMethods = {
  readonly graphql: (request: GraphqlRequest) => GraphqlAnswer;
  readonly sql: (request: SqlRequest) => SqlAnswer;
};

/** A question that is not taken. */
export class IndexBusyError extends Error {
  constructor() {
    super("Too many questions to the index are waiting; try again later.");
    this.name = "IndexBusyError";
  }
}

/** Questions that are worked on, or wait, at the same time. */
const mostPending = 64;
/** A thread that answers no longer is ended so long after its question's own time. */
const graceMs = 3_000;
/** Nobody asks: the thread and its memory go. */
const idleMs = 60_000;
const heapMb = 192;
/** Questions wait so long for the tables; beyond that they are answered that nothing is there. */
const longestOpenMs = 10_000;

/** How questions are answered. */
export interface IndexQueriesOptions {
  readonly limits?: GraphqlLimits;
  /** Resolves when the tables are there; left out: they are. */
  readonly whenOpen?: Promise<void>;
}

/** Has questions answered by a thread of its own, which is there while somebody asks. */
export class IndexQueries implements AsyncDisposable {
  readonly #place: IndexPlace;
  readonly #limits: GraphqlLimits;
  readonly #whenOpen: Promise<void>;
  readonly #listeners = new Set<() => void>();
  #thread: { readonly worker: Worker; readonly calls: ThreadCalls<QueryMethods> } | undefined;
  #pending = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(place: IndexPlace, { limits = defaultGraphqlLimits, whenOpen }: IndexQueriesOptions = {}) {
    this.#place = place;
    this.#limits = limits;
    this.#whenOpen = whenOpen ?? Promise.resolve();
  }

  /** @throws {IndexBusyError}; {IndexError} when the thread had to be ended */
  graphql(request: GraphqlRequest): Promise<GraphqlAnswer> {
    return this.#ask(this.#limits.read.timeoutMs, (calls) => calls.call("graphql", request));
  }

  /** A question of the operator. @throws as {@link graphql} */
  sql(request: SqlRequest): Promise<SqlAnswer> {
    return this.#ask(request.timeoutMs, (calls) => calls.call("sql", request));
  }

  async #ask<T>(timeoutMs: number, call: (calls: ThreadCalls<QueryMethods>) => Promise<T>): Promise<T> {
    if (this.#pending >= mostPending) throw new IndexBusyError();
    this.#pending += 1;
    clearTimeout(this.#idle);
    await this.#untilOpen();
    const { worker, calls } = (this.#thread ??= this.#start());
    let isOverrun = false;
    const timer = setTimeout(() => {
      isOverrun = true;
      if (this.#thread?.worker === worker) this.#thread = undefined;
      void worker.terminate();
    }, timeoutMs + graceMs);
    try {
      return await call(calls);
    } catch (error) {
      if (isOverrun) throw new IndexError({ code: "tooSlow", timeoutMs });
      throw error;
    } finally {
      clearTimeout(timer);
      this.#pending -= 1;
      if (this.#pending === 0) this.#idle = setTimeout(() => void this.#end(), idleMs).unref();
    }
  }

  /** A node that has just begun makes the tables first. */
  async #untilOpen(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, longestOpenMs);
    });
    await Promise.race([this.#whenOpen, late]);
    clearTimeout(timer);
  }

  /** Has somebody told when the index has changed. @returns who is to be called when that is enough */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Must be called when the index has changed. */
  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#idle);
    await this.#end();
  }

  async #end(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.worker.terminate();
  }

  #start() {
    const settings: QueryThreadSettings = { place: this.#place, graphql: this.#limits };
    const worker = new Worker(new URL("./queryThread.js", import.meta.url), {
      workerData: settings,
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
      execArgv: [],
    });
    worker.unref();
    const started = { worker, calls: new ThreadCalls<QueryMethods>(worker, "index query") };
    worker.on("exit", () => {
      if (this.#thread?.worker === worker) this.#thread = undefined;
    });
    return started;
  }
}
