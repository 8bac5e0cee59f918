import { LmdbStore, type Store, tablesOf } from "@vedette/store";
import { ThreadCalls } from "./calls.js";
import { startDeepThread } from "./deepStack.js";
import { StateExecutor } from "./StateExecutor.js";

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
  merge: true,
  bonds: true,
  hasRoot: true,
  recordRoot: true,
  missing: true,
  importPage: true,
};

const heapSizeMb = 1024;

/** Starts the executor on a thread of its own. */
export function startExecutorThread(settings: ExecutorSettings): Executor {
  const worker = startDeepThread(new URL("./executorThread.js", import.meta.url), settings, heapSizeMb);
  const calls = new ThreadCalls<Record<string, (argument: never) => unknown>>(worker, "executor");
  return executorOf(
    (method, argument) => calls.call(method, argument as never),
    async () => {
      await calls.call("close", undefined as never).catch(() => undefined);
      await worker.terminate();
    },
  );
}

/** The executor in this thread, for tests and debugging. The store is closed with it. */
export function startLocalExecutor(store: Store): Executor {
  const executor = new StateExecutor(store);
  return executorOf(
    async (method, argument) => (executor[method] as (argument: unknown) => unknown).call(executor, argument),
    () => store.close(),
  );
}

/** Opens the state store for its one writer. @throws {StoreError} */
export function openStateStore({ stateDirectory }: ExecutorSettings): LmdbStore {
  return new LmdbStore(stateDirectory, { tables: tablesOf("state") });
}

function executorOf(
  call: (method: keyof StateExecutor, argument: unknown) => Promise<unknown>,
  close: () => Promise<void>,
): Executor {
  const methods = Object.fromEntries(
    (Object.keys(executorMethods) as (keyof StateExecutor)[]).map((method) => [
      method,
      (argument: unknown) => call(method, argument),
    ]),
  );
  return Object.assign(methods, { [Symbol.asyncDispose]: close }) as unknown as Executor;
}
