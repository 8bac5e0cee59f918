import { type Dialect, f1r3node } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import { type ExecutorClient, executorClientOf } from "../executor/ExecutorClient.js";
import { FloorExecutor } from "../executor/FloorExecutor.js";
import { StateExecutor } from "../executor/StateExecutor.js";

/** Makes the executor of a dialect. */
export function stateExecutorOf(dialect: Dialect["name"], store: Store): StateExecutor | FloorExecutor {
  return dialect === f1r3node.name ? new FloorExecutor(store) : new StateExecutor(store);
}

/** The executor's methods without its thread. */
export function executorHere(executor: StateExecutor | FloorExecutor): ExecutorClient {
  const known = executor as unknown as Readonly<Record<string, (argument: unknown) => unknown>>;
  const call = async (name: string, argument: unknown) => {
    const method = known[name];
    if (method === undefined) throw new TypeError(`${name} is not an operation of this network's executor`);
    return method.call(executor, argument);
  };
  return executorClientOf(call, async () => undefined);
}
