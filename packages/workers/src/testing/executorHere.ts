import { type Executor, executorMethods } from "../executor/executor.js";
import type { FloorExecutor } from "../executor/FloorExecutor.js";
import type { StateExecutor } from "../executor/StateExecutor.js";

/** The executor's methods without its thread. */
export function executorHere(executor: StateExecutor | FloorExecutor): Executor {
  const known = executor as unknown as Readonly<Record<string, (argument: unknown) => unknown>>;
  const methods = Object.fromEntries(
    Object.keys(executorMethods).map((name) => [
      name,
      async (argument: unknown) => {
        const method = known[name];
        if (method === undefined) throw new TypeError(`${name} is not asked of this network's executor`);
        return method.call(executor, argument);
      },
    ]),
  );
  return Object.assign(methods, { [Symbol.asyncDispose]: async () => undefined }) as unknown as Executor;
}
