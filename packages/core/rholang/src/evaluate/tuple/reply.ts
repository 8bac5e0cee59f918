import { ListParWithRandom, type Par } from "@vedette/terms";
import type { Reducer } from "../Reducer.js";
import { dispatch } from "./dispatch.js";

/**
 * A built-in process answers, with the generator of the request.
 *
 * Quirk 21 §7.2: this is not a program's send. The name is taken as it is, even a bundle; it is never noted as
 * mergeable; what a peek took does not go back; nothing is recorded for a call to the outside that it leads to.
 *
 * @spec 21 §7.2
 */
export function reply(reducer: Reducer, ack: Par, values: readonly Par[], randomState: Uint8Array): void {
  const data = new ListParWithRandom(values, randomState);
  const match = reducer.surroundings.space.produce(ack, data, false, undefined);
  if (match !== undefined) dispatch(reducer, match, match.event, false);
}
