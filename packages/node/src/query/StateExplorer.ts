import { RemoteError } from "../thread/calls.js";
import { type QueryReaders, ReaderPoolError } from "../thread/ReaderPool.js";
import { ApiError } from "./ApiError.js";
import { anybody } from "./Explorations.js";
import type { Explorer } from "./ExploreQueries.js";
import { StateQueryError } from "./StateQueryError.js";
import type { StateReads } from "./StateReads.js";
import type { Turns } from "./Turns.js";

/** Runs exploratory deploys on the readers, each in its turn and with a budget of phlo and time. @spec 41 §7.1 */
export function stateExplorerOf(readers: QueryReaders, timeoutMs: number, turns: Turns): Explorer {
  return {
    async explore(root, source, { form, client }, signal) {
      const call = { root, source, ...anybody(), timestamp: BigInt(Date.now()), timeoutMs, form };
      const answer = await tellingWhy(
        turns.take({ client, signal, bytes: 2 * source.length }, () =>
          readers.call("explore", call, timeoutMs, signal),
        ),
      );
      switch (answer.kind) {
        case "values":
          return answer.values;
        case "failed":
          return { error: answer.error };
        case "stopped":
          throw new ApiError(`The program was stopped after ${timeoutMs} ms (${answer.reason}).`);
      }
    },
  };
}

/** Has the readers look into states and at programs. */
export function stateReadsOf(readers: QueryReaders, timeoutMs: number): StateReads {
  return {
    data: (call, signal) => tellingWhy(readers.call("data", call, timeoutMs, signal)),
    continuations: (call, signal) => tellingWhy(readers.call("continuations", call, timeoutMs, signal)),
    bonds: (root) => tellingWhy(readers.call("bonds", root, timeoutMs)),
    checkTerm: (source) => tellingWhy(readers.call("checkTerm", source, timeoutMs)),
  };
}

async function tellingWhy<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ReaderPoolError || error instanceof RemoteError || error instanceof StateQueryError)
      throw new ApiError(error.message, { cause: error, kind: "exception" });
    throw error;
  }
}
