import { stopText } from "@vedette/executor";
import { type OnWorked, type QueryReaders, RemoteError } from "@vedette/executor/threads";
import { ApiError } from "../ApiError.js";
import { mapToApiError } from "../mapToApiError.js";
import type { StateReads } from "../state/StateReads.js";
import type { StateRoots } from "../state/StateRoots.js";
import { anyDeployer } from "./Explorations.js";
import type { Explorer } from "./ExploreQueries.js";
import type { FairScheduler } from "./FairScheduler.js";

/** How exploratory deploys are run. */
export interface ExplorerOptions {
  readonly timeoutMs: number;
  /** Left out: what nodes of the dialect allow. */
  readonly phloLimit?: bigint | undefined;
  readonly turns: FairScheduler;
  readonly roots: StateRoots;
}

/** Runs exploratory deploys on the readers, each in its turn and with a budget of phlo and time. @spec 41 §7.1 */
export function stateExplorerOf(
  readers: QueryReaders,
  { timeoutMs, phloLimit, turns, roots }: ExplorerOptions,
): Explorer {
  return {
    async explore(root, source, { form, client }, signal) {
      const call = { root, source, ...anyDeployer(), timestamp: BigInt(Date.now()), timeoutMs, phloLimit, form };
      const answer = await mapToApiError(
        turns.take({ client, signal, bytes: 2 * source.length }, (onWorked) =>
          mapToStateError(roots, root, readers.call("explore", call, timeoutMs, { signal, onWorked })),
        ),
      );
      switch (answer.kind) {
        case "values":
          return { ...answer.values, cost: answer.cost };
        case "failed":
          return { error: answer.error, failure: answer.failure };
        case "stopped":
          throw new ApiError(stopText(answer, timeoutMs), { reason: "programStopped" });
      }
    },
  };
}

/** Longer programs may take a second to compile. */
const shortProgram = 16_384;

/**
 * Has the readers look into states and at programs.
 *
 * @param turns of long programs: a client with many waits for its own, and delays no other client
 */
export function stateReadsOf(
  readers: QueryReaders,
  {
    timeoutMs,
    turns,
    roots,
  }: { readonly timeoutMs: number; readonly turns: FairScheduler; readonly roots: StateRoots },
): StateReads {
  const mapErrors = <T>(root: Uint8Array, answer: Promise<T>) => mapToApiError(mapToStateError(roots, root, answer));
  return {
    data: (call, signal) => mapErrors(call.root, readers.call("data", call, timeoutMs, { signal })),
    continuations: (call, signal) => mapErrors(call.root, readers.call("continuations", call, timeoutMs, { signal })),
    bonds: (root) => mapErrors(root, readers.call("bonds", root, timeoutMs)),
    checkTerm: (source, client) => {
      const check = (onWorked?: OnWorked) => readers.call("checkTerm", source, timeoutMs, { onWorked });
      if (source.length <= shortProgram) return mapToApiError(check());
      return mapToApiError(turns.take({ client, bytes: 2 * source.length }, check));
    },
  };
}

/** The readers' errors for a state that is not here, or disappears while they read it. */
const absent: ReadonlySet<string> = new Set(["SpaceError", "HistoryError"]);

/** Answers a request for an absent state with the range of states that are here. @throws {ApiError} @spec 40 §6.5 */
async function mapToStateError<T>(roots: StateRoots, root: Uint8Array, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    if (!(cause instanceof RemoteError) || !absent.has(cause.name) || (await roots.isHere(root))) throw cause;
    const { message } = await roots.notHere(root, "block");
    throw new ApiError(message, { cause, kind: "exception", reason: "unknownBlock" });
  }
}
