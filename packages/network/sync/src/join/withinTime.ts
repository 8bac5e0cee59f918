import { SyncError } from "../SyncError.js";
import type { Timers } from "../Timers.js";

/**
 * Fetches something under a signal that ends with the given one, or when the time is over.
 *
 * @throws {SyncError} `stateUnobtainable` when the time is over; otherwise what the work threw
 */
export async function withinTime(
  ms: number,
  { timers, signal }: { readonly timers: Timers; readonly signal: AbortSignal },
  work: (limit: AbortSignal) => Promise<void>,
): Promise<void> {
  const limit = new AbortController();
  const end = () => limit.abort(signal.reason);
  const late = new SyncError({ code: "stateUnobtainable", reason: "no peer gives it in time" });
  const takeBack = timers.after(ms, () => limit.abort(late));
  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
  try {
    await work(limit.signal);
  } catch (error) {
    if (limit.signal.reason !== late || error === late) throw error;
    throw new SyncError(late.failure, { cause: error });
  } finally {
    takeBack();
    signal.removeEventListener("abort", end);
  }
}
