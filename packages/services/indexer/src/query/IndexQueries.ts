import type { IndexLocation } from "../database/openDatabase.js";
import type { GraphqlAnswer, GraphqlRequest } from "../graphql/GraphqlEngine.js";
import { defaultGraphqlLimits, type GraphqlLimits } from "../graphql/graphqlLimits.js";
import type { SqlAnswer, SqlRequest } from "../sql/SqlEngine.js";
import { ProcessHost, type Question } from "./QueryHost.js";
import { type Asker, type LaneOptions, QueryLane } from "./QueryLane.js";

/** Each answer is held until its client has it, so that few are made at one time. */
const lanes = {
  graphql: { hosts: 1, questions: 4, pending: 64 },
  // One SQL query has a process to itself: whatever its text does ends with that process.
  sql: { hosts: 2, questions: 1, pending: 16 },
} as const;
const usualGraceMs = 3_000;
const idleMs = 60_000;
/** Longest time that questions wait for the tables, before they fail because the index is not open. */
const longestOpenMs = 10_000;

/** How questions are answered. */
export interface IndexQueriesOptions {
  readonly limits?: GraphqlLimits;
  /** Resolves when the tables are there; left out: they are. */
  readonly whenOpen?: Promise<void>;
  /** Whether answers may be made from tables that lack the beginning of the chain; left out: they are refused. */
  readonly isPartial?: boolean;
  /** Time after a question's limit until a process that does not answer is ended. */
  readonly graceMs?: number;
  /** Called with the error of every question that could not be answered. */
  readonly failed?: (error: unknown) => void;
}

/** A GraphQL answer with a printed body. */
export interface GraphqlReply extends Omit<GraphqlAnswer, "body"> {
  /** The bytes of its JSON. */
  readonly bytes: Uint8Array;
}

interface Asked {
  readonly question: Question;
  readonly timeoutMs: number;
  readonly asker: Asker | undefined;
}

/** Has queries answered by separate processes, which run while there are queries. */
export class IndexQueries implements AsyncDisposable {
  readonly #limits: GraphqlLimits;
  readonly #whenOpen: Promise<void>;
  readonly #listeners = new Set<() => void>();
  readonly #graphql: QueryLane;
  readonly #sql: QueryLane;
  readonly #failed: (error: unknown) => void;

  constructor(place: IndexLocation, options: IndexQueriesOptions = {}) {
    const { limits = defaultGraphqlLimits, whenOpen = Promise.resolve(), graceMs = usualGraceMs } = options;
    const { isPartial = false } = options;
    this.#limits = limits;
    this.#whenOpen = whenOpen;
    this.#failed = options.failed ?? (() => {});
    const lane = (bounds: Omit<LaneOptions, "graceMs" | "idleMs">) =>
      new QueryLane(() => new ProcessHost({ place, graphql: limits, isPartial }), { ...bounds, graceMs, idleMs });
    this.#graphql = lane(lanes.graphql);
    this.#sql = lane(lanes.sql);
  }

  /** The processes that there are. */
  get pids(): readonly number[] {
    const hosts = [...this.#graphql.hosts, ...this.#sql.hosts];
    return hosts.flatMap((host) => (host instanceof ProcessHost && host.pid !== undefined ? [host.pid] : []));
  }

  /**
   * Answers a GraphQL query of any client.
   *
   * @throws {IndexBusyError}; {IndexQueryError} when the process had to be ended; the signal's reason
   */
  async graphql(request: GraphqlRequest, asker?: Asker): Promise<GraphqlReply> {
    await this.#untilOpen();
    const question = { method: "graphql", argument: request } as const;
    const { timeoutMs } = this.#limits.read;
    return (await this.#ask(this.#graphql, { question, timeoutMs, asker })) as GraphqlReply;
  }

  /** A question of the operator. @throws as {@link graphql} */
  async sql(request: SqlRequest, asker?: Asker): Promise<SqlAnswer> {
    await this.#untilOpen();
    const { timeoutMs } = request;
    const question = { method: "sql", argument: request } as const;
    return (await this.#ask(this.#sql, { question, timeoutMs, asker })) as SqlAnswer;
  }

  /** Ends all hosts, so that later questions open the index again. */
  async renew(): Promise<void> {
    await Promise.all([this.#graphql.endHosts(), this.#sql.endHosts()]);
  }

  async #ask(lane: QueryLane, { question, timeoutMs, asker }: Asked): Promise<unknown> {
    try {
      return await lane.ask(question, timeoutMs, asker);
    } catch (error) {
      if (asker?.signal?.aborted !== true) this.#failed(error);
      throw error;
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

  /** Calls a listener whenever the index has changed. @returns ends that when called */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Must be called when the index has changed. */
  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#graphql[Symbol.asyncDispose](), this.#sql[Symbol.asyncDispose]()]);
  }
}
