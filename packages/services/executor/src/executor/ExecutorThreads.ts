import type { Worker } from "node:worker_threads";
import type { Dialect } from "@vedette/protocol";
import { movedWith, type OriginLink } from "../origin/originLink.js";
import { RemoteError, ThreadCalls } from "../thread/calls.js";
import { startDeepThread, type ThreadLimits } from "../thread/deepStack.js";
import { type RetainedMemory, type ThreadMemoryLimits, ThreadMemoryMonitor } from "../thread/ThreadMemoryMonitor.js";

/** The settings of the executor's thread. */
export interface ExecutorSettings {
  readonly stateDirectory: string;
  /** The dialect of the states; default: rnode's. */
  readonly dialect?: Dialect["name"] | undefined;
  /** Where what is absent from the store comes from. */
  readonly origin?: OriginLink | undefined;
  /** Whether the thread gives way to all other work. */
  readonly isInBackground?: boolean | undefined;
  /** Whether states are held in memory until they are flushed. */
  readonly isGrouped?: boolean | undefined;
  /** Whether states are held in memory while the caller of `hold` requires it. */
  readonly mayHold?: boolean | undefined;
  /** Whether the states of another node are read, and new states are discarded. */
  readonly isScratch?: boolean | undefined;
  /** Whether it only takes states that others have made. */
  readonly adoptsOnly?: boolean | undefined;
  /** Whether it takes the place of one that had the store open: what that one looked through is not looked at again. */
  readonly isReplacement?: boolean | undefined;
  /** Room of the disk that no write begins to take, in bytes. */
  readonly reserveBytes?: number | undefined;
}

/**
 * A thread that executes blocks once its store is open: its modules can be loaded while another thread still writes.
 */
export class ExecutorThread {
  readonly #calls: ThreadCalls<Record<string, (argument: never) => unknown>>;
  readonly #worker: Worker;
  readonly exited: Promise<unknown>;
  isEnded = false;

  constructor(settings: ExecutorSettings, limits: ThreadLimits) {
    this.#worker = startDeepThread(
      new URL("./executorThread.js", import.meta.url),
      settings,
      limits,
      movedWith(settings.origin),
    );
    this.exited = new Promise((resolve) => this.#worker.once("exit", resolve));
    for (const event of ["error", "exit"]) this.#worker.once(event, () => (this.isEnded = true));
    this.#calls = new ThreadCalls(this.#worker, "executor");
  }

  get kept(): RetainedMemory {
    return this.#calls.kept;
  }

  get pending(): number {
    return this.#calls.pending;
  }

  call(method: string, argument?: unknown): Promise<unknown> {
    return this.#calls.call(method, argument as never);
  }

  /** Ends it when it has finished its calls, and has closed its store. */
  async end(): Promise<void> {
    await this.call("close").catch(() => undefined);
    await this.#worker.terminate();
    this.isEnded = true;
  }
}

/**
 * The executor's thread, and those that take its place: one that has ended by itself is replaced at the next call, one
 * that keeps much memory between two calls. Never do two have the store open for writing.
 */
export class ExecutorThreads {
  readonly #start: (isReplacement: boolean) => ExecutorThread;
  readonly #limits: ThreadMemoryLimits;
  #thread: ExecutorThread;
  #rest: ThreadMemoryMonitor;
  /** Calls go through it one after the other; it is held while a thread takes the place of another. */
  #gate: Promise<unknown> = Promise.resolve();
  #replacement: Promise<void> | undefined;
  #isClosed = false;
  /** Whether the thread holds states in memory; a replacement takes this over. */
  #isHolding = false;
  #hasOpened = false;

  /** @param start its argument is whether an earlier thread has opened the store */
  constructor(start: (isReplacement: boolean) => ExecutorThread, limits: ThreadMemoryLimits) {
    this.#start = start;
    this.#limits = limits;
    this.#thread = start(false);
    this.#rest = this.#restOf(this.#thread);
    // If it fails, the first call tries again and reports the reason.
    this.#pass(() => this.#open()).catch(() => undefined);
  }

  /** @throws {RemoteError} what the method threw, or `ThreadEnded` */
  async call(method: string, argument: unknown): Promise<unknown> {
    // The gate passes on an object instead of the answer's promise, so that the next call does not wait for the answer.
    const { thread, rest, answer } = await this.#pass(async () => {
      await this.#requireThread();
      if (method === "hold") this.#isHolding = argument === true;
      this.#rest.wake();
      return { thread: this.#thread, rest: this.#rest, answer: this.#thread.call(method, argument) };
    });
    try {
      return await answer;
    } finally {
      if (thread === this.#thread && !this.#isClosed) rest.answered(thread.pending === 0);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#rest[Symbol.dispose]();
    await this.#replacement;
    await this.#pass(() => this.#thread.end());
  }

  #pass<Result>(action: () => Promise<Result>): Promise<Result> {
    const passed = this.#gate.then(action);
    this.#gate = passed.catch(() => undefined);
    return passed;
  }

  /** Starts a new thread and opens its store if the last one has ended. */
  async #requireThread(): Promise<void> {
    if (this.#isClosed) throw new RemoteError("ThreadEnded", "the executor has been closed");
    if (!this.#thread.isEnded) return;
    await this.#thread.exited;
    this.#take(this.#start(this.#hasOpened));
    await this.#open();
  }

  /** @throws {RemoteError} what keeps the store from being opened; the next call tries again */
  async #open(): Promise<void> {
    try {
      await this.#thread.call("open");
      this.#hasOpened = true;
      if (this.#isHolding) await this.#thread.call("hold", true);
    } catch (error) {
      await this.#thread.end();
      throw error;
    }
  }

  #take(thread: ExecutorThread): void {
    this.#rest[Symbol.dispose]();
    this.#thread = thread;
    this.#rest = this.#restOf(thread);
  }

  #restOf(thread: ExecutorThread): ThreadMemoryMonitor {
    return new ThreadMemoryMonitor(this.#limits, {
      kept: () => thread.kept,
      tidy: () => thread.call("tidy"),
      replace: () => {
        this.#replacement ??= this.#replace(thread).finally(() => (this.#replacement = undefined));
      },
    });
  }

  /** Replaces the thread as soon as a new one has loaded its modules; the old one serves calls until then. */
  async #replace(worn: ExecutorThread): Promise<void> {
    const fresh = this.#start(this.#hasOpened);
    try {
      await fresh.call("ready");
    } catch {
      // Perhaps there is no memory for another thread: keep the old one.
      await fresh.end();
      return;
    }
    await this.#pass(async () => {
      if (this.#isClosed || this.#thread !== worn || worn.isEnded) {
        await fresh.end();
        return;
      }
      await worn.end();
      this.#take(fresh);
      await this.#open();
    }).catch(() => undefined);
  }
}
