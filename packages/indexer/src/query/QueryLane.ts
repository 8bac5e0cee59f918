import { IndexError } from "../IndexError.js";
import { HostEndedError, type QueryHost, type Question } from "./QueryHost.js";

/** A question that is not taken. */
export class IndexBusyError extends Error {
  constructor() {
    super("Too many questions to the index are waiting; try again later.");
    this.name = "IndexBusyError";
  }
}

/** How much is worked on at one time. */
export interface LaneOptions {
  readonly hosts: number;
  /** Questions that one of them works on. */
  readonly questions: number;
  /** Questions that are worked on, or wait. */
  readonly pending: number;
  /** A host that does not answer is ended so long after its question's own time. */
  readonly graceMs: number;
  /** Nobody asks: the hosts and their memory go. */
  readonly idleMs: number;
}

interface Task {
  readonly question: Question;
  readonly timeoutMs: number;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** How often a host ended under it. */
  losses: number;
}

interface Place {
  readonly host: QueryHost;
  readonly tasks: Set<Task>;
}

/** Questions that lose their host for other reasons than their own are asked again so often. */
const mostLosses = 1;

/**
 * Questions of one kind of clients, with hosts that nobody else uses: those of the public do not wait for the
 * operator's. What does not answer in time is ended together with its host, as soon as another one can take its place;
 * other questions that the host had are asked again there.
 */
export class QueryLane implements AsyncDisposable {
  readonly #start: () => QueryHost;
  readonly #options: LaneOptions;
  readonly #queue: Task[] = [];
  /** Those that take questions. */
  readonly #places = new Set<Place>();
  /** Those that will be ended. */
  readonly #retired = new Set<QueryHost>();
  #pending = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(start: () => QueryHost, options: LaneOptions) {
    this.#start = start;
    this.#options = options;
  }

  /** The hosts that there are. */
  get hosts(): readonly QueryHost[] {
    return [...[...this.#places].map(({ host }) => host), ...this.#retired];
  }

  /**
   * Asks a host that is free, or waits for one.
   *
   * @param signal aborts when nobody waits for the answer: a question that was not begun gives its place up
   * @throws {IndexBusyError}; {IndexError} `tooSlow`; what the host says; the signal's reason
   */
  async ask(question: Question, timeoutMs: number, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    if (this.#pending >= this.#options.pending) throw new IndexBusyError();
    this.#pending += 1;
    clearTimeout(this.#idle);
    let leave: (() => void) | undefined;
    try {
      return await new Promise((resolve, reject) => {
        const task: Task = { question, timeoutMs, resolve, reject, losses: 0 };
        leave = () => this.#leave(task, signal?.reason);
        signal?.addEventListener("abort", leave);
        this.#queue.push(task);
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
    for (const { reject } of this.#queue.splice(0)) reject(new HostEndedError());
    await this.endHosts();
  }

  /** Ends all hosts; the next question gets another one. */
  async endHosts(): Promise<void> {
    const hosts = this.hosts;
    for (const { tasks } of this.#places) for (const task of tasks) task.losses = mostLosses;
    this.#places.clear();
    await Promise.all(hosts.map((host) => host.end()));
  }

  /** What was begun goes on: its host has other questions. */
  #leave(task: Task, reason: unknown): void {
    const at = this.#queue.indexOf(task);
    if (at < 0) return;
    this.#queue.splice(at, 1);
    task.reject(reason);
  }

  #next(): void {
    while (this.#queue.length > 0) {
      const place = this.#free();
      if (place === undefined) return;
      const task = this.#queue.shift()!;
      place.tasks.add(task);
      void this.#run(place, task);
    }
  }

  #free(): Place | undefined {
    for (const place of this.#places) if (place.tasks.size < this.#options.questions) return place;
    return this.#places.size < this.#options.hosts ? this.#add() : undefined;
  }

  #add(): Place {
    const place: Place = { host: this.#start(), tasks: new Set() };
    this.#places.add(place);
    return place;
  }

  /** The time of a question begins when its host has loaded: on a busy machine that takes longer than many questions. */
  async #run(place: Place, task: Task): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    let isOverrun = false;
    const { question, timeoutMs } = task;
    try {
      await place.host.whenReady;
      timer = setTimeout(() => {
        isOverrun = true;
        task.reject(new IndexError({ code: "tooSlow", timeoutMs }));
        this.#retire(place);
      }, timeoutMs + this.#options.graceMs);
      task.resolve(await place.host.ask(question));
    } catch (error) {
      if (error instanceof HostEndedError) this.#places.delete(place);
      const isLost = error instanceof HostEndedError && !isOverrun && task.losses < mostLosses;
      if (isLost) {
        task.losses += 1;
        this.#queue.unshift(task);
      } else task.reject(error);
    } finally {
      clearTimeout(timer);
      place.tasks.delete(task);
      this.#next();
    }
  }

  /** Takes no more questions, and is ended when another one is there. */
  #retire(place: Place): void {
    if (!this.#places.delete(place)) return;
    this.#retired.add(place.host);
    const end = () => {
      this.#retired.delete(place.host);
      void place.host.end();
    };
    this.#add().host.whenReady.then(end, end);
  }
}
