import { ClientError } from "../failure/ClientError.js";
import { pause } from "./pause.js";

/** How long to wait, and the interval of requests. */
export interface PollOptions {
  readonly timeoutMs: number;
  readonly pollMs?: number;
  readonly signal?: AbortSignal | undefined;
}

const defaultPollMs = 1_000;
/** The answer of a node that has not joined to a request for a deploy. @spec 50 §3.5 */
const notRunning = "Error: errorMessage";
// The number of failures for which a restarting node may stay away; with the usual pause between two requests it is
// half a minute.
const maxConsecutiveFailures = 30;

/**
 * Repeats a request until there is an answer.
 *
 * @param what names the missing result when the time is over
 * @throws {ClientError} `waitedTooLong`, `cancelled`, or the error of a request
 */
export async function poll<T>(what: string, options: PollOptions, ask: () => Promise<T | undefined>): Promise<T> {
  const { timeoutMs, pollMs = defaultPollMs, signal } = options;
  const giveUpMs = performance.now() + timeoutMs;
  let hasAnswered = false;
  let failures = 0;
  for (;;) {
    if (signal?.aborted) throw new ClientError({ code: "cancelled", call: "Waiting" });
    try {
      const found = await ask();
      if (found !== undefined) return found;
      hasAnswered = true;
      failures = 0;
    } catch (error) {
      failures += 1;
      if (!hasAnswered || failures > maxConsecutiveFailures || !isPassing(error)) throw error;
    }
    const leftMs = giveUpMs - performance.now();
    if (leftMs <= 0) throw new ClientError({ code: "waitedTooLong", what, timeoutMs });
    await pause(Math.min(pollMs, leftMs), signal);
  }
}

/** Whether a node that answered before may be on its way back: it is gone, or has not joined its network yet. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof ClientError)) return false;
  const { failure } = error;
  if (failure.code !== "refused") return failure.code === "unreachable" || failure.code === "timedOut";
  return failure.messages.some((text) => text === notRunning || text.includes("casper instance was not available yet"));
}
