import type { Worker } from "node:worker_threads";
import { LmdbStore, tablesOf } from "@vedette/store";
import { RemoteError, ThreadCalls } from "./calls.js";
import { startDeepThread } from "./deepStack.js";
import type { StateExecutor } from "./StateExecutor.js";

/** The methods of a {@link StateExecutor} as they are called: all answer later. */
export type Executor = {
  readonly [K in keyof StateExecutor]: (...call: Parameters<StateExecutor[K]>) => Promise<ReturnType<StateExecutor[K]>>;
} & AsyncDisposable;

/** What the executor's thread is told at its start. */
export interface ExecutorSettings {
  readonly stateDirectory: string;
}

/** Names of what can be called; one that is forgotten does not compile. */
export const executorMethods: { readonly [K in keyof StateExecutor]: true } = {
  makeEmptyState: true,
  replay: true,
  play: true,
  playGenesis: true,
  isExecuted: true,
  merge: true,
  bonds: true,
  activeValidators: true,
  epochLength: true,
  hasRoot: true,
  recordRoot: true,
  missing: true,
  importPage: true,
};

const defaultHeapSizeMb = 1024;

/**
 * Starts the executor on a thread of its own. The thread may end while it works, above all when a hostile block takes
 * all of its memory: that call fails, and the next one gets a new thread on the same store.
 */
export function startExecutorThread(settings: ExecutorSettings, heapSizeMb = defaultHeapSizeMb): Executor {
  const thread = new ReplacedThread(() => new ExecutorThread(settings, heapSizeMb));
  const methods = Object.fromEntries(
    Object.keys(executorMethods).map((method) => [method, (argument: unknown) => thread.call(method, argument)]),
  );
  return Object.assign(methods, { [Symbol.asyncDispose]: () => thread.close() }) as unknown as Executor;
}

class ExecutorThread {
  readonly calls: ThreadCalls<Record<string, (argument: never) => unknown>>;
  readonly #worker: Worker;
  readonly exited: Promise<unknown>;
  isEnded = false;

  constructor(settings: ExecutorSettings, heapSizeMb: number) {
    this.#worker = startDeepThread(new URL("./executorThread.js", import.meta.url), settings, heapSizeMb);
    this.exited = new Promise((resolve) => this.#worker.once("exit", resolve));
    for (const event of ["error", "exit"]) this.#worker.once(event, () => (this.isEnded = true));
    this.calls = new ThreadCalls(this.#worker, "executor");
  }

  async end(): Promise<void> {
    await this.calls.call("close", undefined as never).catch(() => undefined);
    await this.#worker.terminate();
  }
}

/** A thread that is replaced when it has ended. */
class ReplacedThread {
  readonly #start: () => ExecutorThread;
  #thread: ExecutorThread;
  #isClosed = false;

  constructor(start: () => ExecutorThread) {
    this.#start = start;
    this.#thread = start();
  }

  async call(method: string, argument: unknown): Promise<unknown> {
    if (this.#isClosed) throw new RemoteError("ThreadEnded", "the executor has been closed");
    if (this.#thread.isEnded) {
      // Two must never have the store open for writing.
      await this.#thread.exited;
      if (this.#thread.isEnded && !this.#isClosed) this.#thread = this.#start();
    }
    return this.#thread.calls.call(method, argument as never);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread.end();
  }
}

/** Opens the state store for its one writer. @throws {StoreError} */
export function openStateStore({ stateDirectory }: ExecutorSettings): LmdbStore {
  return new LmdbStore(stateDirectory, { tables: tablesOf("state") });
}
