import { BlockTable } from "@vedette/chain";
import { rnodeScala } from "@vedette/protocol";
import { executionOf } from "@vedette/workers";
import type { NodeDialect } from "./NodeDialect.js";

/** Networks of the reference node. @spec 40 */
export const scalaDialect: NodeDialect = {
  protocol: rnodeScala,
  hasBondsOfOwnState: true,
  asked: (executor) => executor,
  consensus({ executor, store, provideState, listener }) {
    const execution = executionOf(executor, new BlockTable(store), provideState, listener);
    return { execution, proposing: execution, chain: {} };
  },
};
