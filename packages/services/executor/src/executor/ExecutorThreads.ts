import type { Worker } from "node:worker_threads";
import type { Dialect } from "@vedette/protocol";
import { movedWith, type OriginLink } from "../origin/originLink.js";
import { RemoteError, ThreadCalls } from "../thread/calls.js";
import { startDeepThread, type ThreadLimits } from "../thread/deepStack.js";
import { type RetainedMemory, type ThreadMemoryLimits, ThreadMemoryMonitor } from "../thread/ThreadMemoryMonitor.js";
import { WriterWatch } from "../thread/WriterWatch.js";

/** The settings of the executor's thread. */
export interface ExecutorSettings {
  readonly stateDirectory: string;
  /** The dialect of the states. */
  readonly dialect: Dialect["name"];
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

const executorEntry = new URL("./executorThread.js", import.meta.url);

/**
 * A thread that executes blocks once its store is open: its modules can be loaded while another thread still writes.
 */
export class ExecutorThread {
  readonly #calls: ThreadCalls<Record<string, (argument: never) => unknown>>;
  readonly #worker: Worker;
  readonly exited: Promise<unknown>;
  isEnded = false;

  /** @param onStuck called where the thread has stopped within a transaction: no other one can write in this process */
  constructor(settings: ExecutorSettings, limits: ThreadLimits, onStuck: () => void, entry = executorEntry) {
    this.#worker = startDeepThread(entry, settings, limits, movedWith(settings.origin));
    this.exited = new Promise((resolve) => this.#worker.once("exit", resolve));
    for (const event of ["error", "exit"]) this.#worker.once(event, () => (this.isEnded = true));
    this.#calls = new ThreadCalls(this.#worker, "executor");
    if (settings.isScratch !== true) new WriterWatch({ worker: this.#worker, pending: () => this.pending, onStuck });
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

/** The settings of threads that take each other's place. */
export interface ExecutorThreadsOptions {
  /** @param isReplacement whether an earlier thread has opened the store */
  readonly start: (isReplacement: boolean) => ExecutorThread;
  /** Opens the store on this thread too, once it is there; left out where it is only read. */
  readonly keepOpen: (() => AsyncDisposable) | undefined;
  readonly limits: ThreadMemoryLimits;
}

/**
 * The executor's thread, and those that take its place: one that has ended by itself is replaced at the next call, one
 * that keeps much memory between two calls. One that has nothing to do for long may end. Never do two write the store.
 *
 * All threads of a process share a store's file with the rights of the thread that opened it first, until the last one
 * closes it. Where that was a reader, no executor could write. So this thread has it open for writing, too, and writes
 * nothing.
 */
export class ExecutorThreads {
  readonly #options: ExecutorThreadsOptions;
  #kept: AsyncDisposable | undefined;
  #thread: ExecutorThread;
  #rest: ThreadMemoryMonitor;
  /** Calls go through it one after the other; it is held while a thread takes the place of another. */
  #gate: Promise<unknown> = Promise.resolve();
  #replacement: Promise<void> | undefined;
  #isClosed = false;
  /** Whether the thread holds states in memory; a replacement takes this over. */
  #isHolding = false;
  #hasOpened = false;

  constructor(options: ExecutorThreadsOptions) {
    this.#options = options;
    this.#thread = options.start(false);
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
    await this.#pass(async () => {
      await this.#thread.end();
      await this.#kept?.[Symbol.asyncDispose]();
    });
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
    this.#take(this.#options.start(this.#hasOpened));
    await this.#open();
  }

  /** @throws {RemoteError} what keeps the store from being opened; the next call tries again */
  async #open(): Promise<void> {
    try {
      await this.#thread.call("open");
      this.#hasOpened = true;
      this.#kept ??= this.#options.keepOpen?.();
      if (this.#isHolding) await this.#thread.call("hold", true);
      this.#rest.idle();
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
    return new ThreadMemoryMonitor(this.#options.limits, {
      kept: () => thread.kept,
      tidy: () => thread.call("tidy"),
      replace: () => {
        this.#replacement ??= this.#replace(thread).finally(() => (this.#replacement = undefined));
      },
      end: () => void this.#end(thread),
    });
  }

  /** Ends a thread that is idle; the next call starts another one. */
  async #end(idle: ExecutorThread): Promise<void> {
    await this.#pass(async () => {
      if (this.#isClosed || this.#thread !== idle || idle.isEnded) return;
      // The states that it holds are in its memory alone.
      if (this.#isHolding || idle.pending > 0) return this.#rest.idle();
      this.#rest[Symbol.dispose]();
      await idle.end();
    }).catch(() => undefined);
  }

  /** Replaces the thread as soon as a new one has loaded its modules; the old one serves calls until then. */
  async #replace(worn: ExecutorThread): Promise<void> {
    const fresh = this.#options.start(this.#hasOpened);
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
