import { type Dialect, f1r3node } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import { type ExecutorClient, executorClientOf } from "../executor/ExecutorClient.js";
import { F1r3nodeExecutor } from "../executor/F1r3nodeExecutor.js";
import { RnodeExecutor } from "../executor/RnodeExecutor.js";

/** Makes the executor of a dialect. */
export function stateExecutorOf(dialect: Dialect["name"], store: Store): RnodeExecutor | F1r3nodeExecutor {
  return dialect === f1r3node.name ? new F1r3nodeExecutor(store) : new RnodeExecutor(store);
}

/** The executor's methods without its thread. */
export function executorHere(executor: RnodeExecutor | F1r3nodeExecutor): ExecutorClient {
  const known = executor as unknown as Readonly<Record<string, (argument: unknown) => unknown>>;
  const call = async (name: string, argument: unknown) => {
    const method = known[name];
    if (method === undefined) throw new TypeError(`${name} is not an operation of this network's executor`);
    return method.call(executor, argument);
  };
  return executorClientOf(call, async () => undefined);
}
