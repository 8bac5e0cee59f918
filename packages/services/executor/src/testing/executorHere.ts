import { type Dialect, f1r3node } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import { type Executor, executorMethods } from "../executor/executor.js";
import { FloorExecutor } from "../executor/FloorExecutor.js";
import { StateExecutor } from "../executor/StateExecutor.js";

/** What executes blocks of a dialect. */
export function stateExecutorOf(dialect: Dialect["name"], store: Store): StateExecutor | FloorExecutor {
  return dialect === f1r3node.name ? new FloorExecutor(store) : new StateExecutor(store);
}

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
