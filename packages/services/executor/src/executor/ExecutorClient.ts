import type { F1r3nodeExecutor } from "./F1r3nodeExecutor.js";
import type { ExecutorApi, RnodeExecutor } from "./RnodeExecutor.js";

/** Operations of f1r3node executors alone; those of rnode networks refuse them. */
type FloorOperation = Exclude<keyof F1r3nodeExecutor, keyof RnodeExecutor>;

type Methods = ExecutorApi & Pick<F1r3nodeExecutor, FloorOperation>;

/** The operations of a {@link RnodeExecutor} or a {@link F1r3nodeExecutor} as they are called: all answer later. */
export type ExecutorOperations = {
  readonly [Name in keyof Methods]: (...call: Parameters<Methods[Name]>) => Promise<ReturnType<Methods[Name]>>;
};

export type ExecutorOperation = keyof ExecutorOperations;

/** Calls an executor, wherever it is; closing it ends the executor. */
export type ExecutorClient = ExecutorOperations & AsyncDisposable;

/** One that is forgotten does not compile. */
const named: { readonly [Name in ExecutorOperation]: true } = {
  makeEmptyState: true,
  replay: true,
  play: true,
  playGenesis: true,
  merge: true,
  mergeScope: true,
  numberEntry: true,
  takeNumberEntry: true,
  bonds: true,
  activeValidators: true,
  epochLength: true,
  faultTolerance: true,
  stakes: true,
  tokenMetadata: true,
  hasRoot: true,
  adopt: true,
  noteOutcome: true,
  recordRoot: true,
  missing: true,
  importPage: true,
  forgetStates: true,
  forgottenBelow: true,
  prune: true,
  flush: true,
  hold: true,
};

/** The names of all operations. */
export const executorOperations = Object.keys(named) as readonly ExecutorOperation[];

/**
 * Makes a client of one function that does every operation.
 *
 * @param call does an operation; all have one argument, or none
 */
export function executorClientOf(
  call: (operation: ExecutorOperation, argument: unknown) => Promise<unknown>,
  close: () => Promise<void>,
): ExecutorClient {
  const operations = executorOperations.map((name) => [name, (argument: unknown) => call(name, argument)] as const);
  return { ...Object.fromEntries(operations), [Symbol.asyncDispose]: close } as unknown as ExecutorClient;
}

/** A client with other operations in place of some; all others, and closing, are those of the next one. */
export function withOperations<Client extends Partial<ExecutorClient>>(
  next: Client,
  operations: Partial<ExecutorOperations>,
): Client {
  const passed = ([...executorOperations, Symbol.asyncDispose] as const)
    .filter((name) => name in next)
    .map((name) => [name, (argument: never) => (next[name] as (argument: never) => unknown)(argument)] as const);
  return { ...Object.fromEntries(passed), ...operations } as unknown as Client;
}
