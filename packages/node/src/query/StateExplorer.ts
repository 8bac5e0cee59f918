import type { QueryReaders } from "../thread/ReaderPool.js";
import { stopText } from "../thread/stopText.js";
import { ApiError } from "./ApiError.js";
import { anybody } from "./Explorations.js";
import type { Explorer } from "./ExploreQueries.js";
import type { StateReads } from "./StateReads.js";
import type { Turns } from "./Turns.js";
import { tellingApi } from "./tellingApi.js";

/** Runs exploratory deploys on the readers, each in its turn and with a budget of phlo and time. @spec 41 §7.1 */
export function stateExplorerOf(readers: QueryReaders, timeoutMs: number, turns: Turns): Explorer {
  return {
    async explore(root, source, { form, client }, signal) {
      const call = { root, source, ...anybody(), timestamp: BigInt(Date.now()), timeoutMs, form };
      const answer = await tellingApi(
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
          throw new ApiError(stopText(answer, timeoutMs));
      }
    },
  };
}

/** Has the readers look into states and at programs. */
export function stateReadsOf(readers: QueryReaders, timeoutMs: number): StateReads {
  return {
    data: (call, signal) => tellingApi(readers.call("data", call, timeoutMs, signal)),
    continuations: (call, signal) => tellingApi(readers.call("continuations", call, timeoutMs, signal)),
    bonds: (root) => tellingApi(readers.call("bonds", root, timeoutMs)),
    checkTerm: (source) => tellingApi(readers.call("checkTerm", source, timeoutMs)),
  };
}
