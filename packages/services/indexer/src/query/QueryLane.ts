import { errorClass } from "@vedette/errors";
import { IndexError } from "../IndexError.js";
import { HostEndedError, type QueryHost, type Question } from "./QueryHost.js";

/** A question that is not taken. */
export class IndexBusyError extends errorClass("IndexBusyError", sentence) {}

function sentence(_: { readonly code: "busy" }): string {
  return "Too many questions to the index are waiting; try again later.";
}

/** How much is worked on at one time. */
export interface LaneOptions {
  readonly hosts: number;
  /** Questions that one of them works on. */
  readonly questions: number;
  /** Questions that are worked on, or wait. */
  readonly pending: number;
  /** Time after a question's limit until a host that does not answer is ended. */
  readonly graceMs: number;
  /** Time without questions after which all hosts are ended, to free their memory. */
  readonly idleMs: number;
}

/** The client of a question. */
export interface Asker {
  /** Aborts when the client has gone: a question that was not begun gives its place up. */
  readonly signal?: AbortSignal | undefined;
  /** Name of the client that the question is counted for; all clients without a name count as one. */
  readonly client?: string | undefined;
}

interface Task {
  readonly client: string | undefined;
  readonly question: Question;
  readonly timeoutMs: number;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** How often a host ended under it. */
  losses: number;
  /** Whether that host ended by itself, which this question may have caused: it runs alone the next time. */
  isSuspect: boolean;
}

interface Place {
  readonly host: QueryHost;
  readonly tasks: Set<Task>;
  /** Whether it runs a suspect, and takes no other question. */
  isReserved: boolean;
  /** Whether the lane ends the host. */
  isEnding: boolean;
}

/** Retries of a query if its host ended, which may be because of another query. */
const maxLosses = 1;

/**
 * Runs the questions of one kind of client on separate hosts: public clients do not wait for the operator's questions.
 * A question that exceeds its time is ended with its host, as soon as a replacement is ready. The replacement then runs
 * the host's other questions again.
 *
 * Clients take turns: the next question belongs to the client with the fewest running ones, then to the one served
 * longest ago. When the queue is full, the client with the most questions loses its newest one to a client with fewer.
 *
 * @cost grows with the questions that wait
 */
export class QueryLane implements AsyncDisposable {
  readonly #start: () => QueryHost;
  readonly #options: LaneOptions;
  readonly #queue: Task[] = [];
  /** Clients with running or waiting questions; the one served longest ago comes first. */
  readonly #clients = new Set<string | undefined>();
  /** Hosts that take questions. */
  readonly #places = new Set<Place>();
  /** Hosts that take no more questions and will be ended. */
  readonly #retired = new Set<QueryHost>();
  #pending = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(start: () => QueryHost, options: LaneOptions) {
    this.#start = start;
    this.#options = options;
  }

  /** All hosts, with those that will be ended. */
  get hosts(): readonly QueryHost[] {
    return [...[...this.#places].map(({ host }) => host), ...this.#retired];
  }

  /**
   * Sends a query to a free host, or waits for one.
   *
   * @throws {IndexBusyError}; {IndexQueryError} `tooSlow`, `crashed`; the host's error; the signal's reason
   */
  async ask(question: Question, timeoutMs: number, { signal, client }: Asker = {}): Promise<unknown> {
    signal?.throwIfAborted();
    if (this.#pending >= this.#options.pending && !this.#makeRoom(client)) throw new IndexBusyError({ code: "busy" });
    this.#pending += 1;
    clearTimeout(this.#idle);
    let leave: (() => void) | undefined;
    try {
      return await new Promise((resolve, reject) => {
        const task: Task = { client, question, timeoutMs, resolve, reject, losses: 0, isSuspect: false };
        leave = () => this.#leave(task, signal?.reason);
        signal?.addEventListener("abort", leave);
        this.#queue.push(task);
        this.#clients.add(client);
        this.#next();
      });
    } finally {
      if (leave !== undefined) signal?.removeEventListener("abort", leave);
      this.#pending -= 1;
      if (this.#pending === 0) this.#idle = setTimeout(() => void this.endHosts(), this.#options.idleMs).unref();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#idle);
    for (const { reject } of this.#queue.splice(0)) reject(new HostEndedError({ code: "ended" }));
    await this.endHosts();
  }

  /** Ends all hosts; the next question gets another one. */
  async endHosts(): Promise<void> {
    const hosts = this.hosts;
    for (const place of this.#places) {
      place.isEnding = true;
      for (const task of place.tasks) task.losses = maxLosses;
    }
    this.#places.clear();
    await Promise.all(hosts.map((host) => host.end()));
  }

  /** Removes a waiting question. A running one continues, since its host has other questions. */
  #leave(task: Task, reason: unknown): void {
    const at = this.#queue.indexOf(task);
    if (at < 0) return;
    this.#queue.splice(at, 1);
    task.reject(reason);
  }

  #next(): void {
    while (this.#queue.length > 0) {
      const { isSuspect } = this.#queue[0]!;
      const place = this.#free(isSuspect ? 1 : this.#options.questions);
      if (place === undefined) return;
      const task = this.#takeNext();
      place.tasks.add(task);
      place.isReserved = isSuspect;
      void this.#run(place, task);
    }
  }

  #takeNext(): Task {
    const first = this.#queue[0]!;
    // It has lost its host, and has waited for its turn already.
    if (first.losses > 0) return this.#queue.shift()!;
    const running = this.#running();
    const waiting = new Set(this.#queue.map(({ client }) => client));
    for (const client of this.#clients) if (!waiting.has(client) && !running.has(client)) this.#clients.delete(client);
    const order = [...this.#clients].filter((client) => waiting.has(client));
    const client = order.reduce((best, other) => ((running.get(other) ?? 0) < (running.get(best) ?? 0) ? other : best));
    this.#clients.delete(client);
    this.#clients.add(client);
    const at = this.#queue.findIndex((task) => task.client === client);
    return this.#queue.splice(at, 1)[0]!;
  }

  /** How many questions of each client are worked on. */
  #running(): Map<string | undefined, number> {
    const counts = new Map<string | undefined, number>();
    for (const { tasks } of this.#places)
      for (const { client } of tasks) counts.set(client, (counts.get(client) ?? 0) + 1);
    return counts;
  }

  /** Refuses a waiting question of the client with most, if that is more than the new one's client would have. */
  #makeRoom(client: string | undefined): boolean {
    const counts = this.#running();
    for (const task of this.#queue) counts.set(task.client, (counts.get(task.client) ?? 0) + 1);
    const own = (counts.get(client) ?? 0) + 1;
    let newest: Task | undefined;
    let most = own + 1;
    for (const task of this.#queue) {
      const count = counts.get(task.client)!;
      if (count < most) continue;
      [newest, most] = [task, count];
    }
    if (newest === undefined) return false;
    this.#leave(newest, new IndexBusyError({ code: "busy" }));
    return true;
  }

  /** @param questions the host must have fewer */
  #free(questions: number): Place | undefined {
    for (const place of this.#places) if (!place.isReserved && place.tasks.size < questions) return place;
    return this.#places.size < this.#options.hosts ? this.#add() : undefined;
  }

  #add(): Place {
    const place: Place = { host: this.#start(), tasks: new Set(), isReserved: false, isEnding: false };
    this.#places.add(place);
    return place;
  }

  /** The time of a question begins when its host has loaded: on a busy machine that takes longer than many questions. */
  async #run(place: Place, task: Task): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    let [isReady, isOverrun] = [false, false];
    const { question, timeoutMs } = task;
    try {
      await place.host.whenReady;
      isReady = true;
      timer = setTimeout(() => {
        isOverrun = true;
        task.reject(new IndexError({ code: "tooSlow", timeoutMs }));
        this.#retire(place);
      }, timeoutMs + this.#options.graceMs);
      task.resolve(await place.host.ask(question));
    } catch (error) {
      const hasEnded = error instanceof HostEndedError;
      const hasCrashed = hasEnded && isReady && !place.isEnding;
      if (hasCrashed) task.isSuspect = true;
      if (hasEnded && !isOverrun && task.losses < maxLosses) {
        task.losses += 1;
        this.#queue.unshift(task);
      } else
        task.reject(hasCrashed && place.isReserved ? new IndexError({ code: "crashed" }, { cause: error }) : error);
      if (hasEnded) this.#places.delete(place);
    } finally {
      clearTimeout(timer);
      place.tasks.delete(task);
      place.isReserved = false;
      this.#next();
    }
  }

  /** Gives the host no more questions, and ends it when its replacement is ready. */
  #retire(place: Place): void {
    if (!this.#places.delete(place)) return;
    place.isEnding = true;
    this.#retired.add(place.host);
    const end = () => {
      this.#retired.delete(place.host);
      void place.host.end();
    };
    this.#add().host.whenReady.then(end, end);
  }
}
