import type { SpaceMatch } from "@vedette/tuplespace";
import type { Reducer } from "../Reducer.js";
import type { Work } from "../Work.js";
import { dispatch } from "./dispatch.js";
import type { SendEvent } from "./events.js";
import { ProduceAgain } from "./produce.js";

/**
 * Runs the steps after a COMM: the continuation runs; then a persistent operation is repeated, or else the peeked data
 * are put back.
 *
 * Quirk 21 §3.6: a persistent operation that meets a peek is repeated, and no peeked datum is put back.
 *
 * @param repeat     the operation that was executed, where it is persistent
 * @param caller     the send that made the COMM complete, if it was one
 * @param isRecorded whether the output of a call to the outside is written to the caller's event
 * @spec 21 §3.6
 */
export function continueAfter(
  reducer: Reducer,
  match: SpaceMatch,
  repeat: Work | undefined,
  caller: SendEvent | undefined,
  isRecorded: boolean,
): void {
  if (repeat !== undefined) reducer.push(repeat);
  else if (match.peek) putBack(reducer, match);
  dispatch(reducer, match, caller, isRecorded);
}

function putBack(reducer: Reducer, match: SpaceMatch): void {
  for (let i = match.results.length - 1; i >= 0; i -= 1) {
    const { channel, removed, persistent } = match.results[i]!;
    if (!persistent) reducer.push(new ProduceAgain(channel, removed, false, undefined));
  }
}
