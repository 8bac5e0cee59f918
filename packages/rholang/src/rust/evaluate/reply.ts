import type { ListParWithRandom, Par } from "@vedette/terms";
import { dispatch } from "./operations.js";
import type { RustReducer } from "./RustReducer.js";

/**
 * A built-in process answers, with the generator of the request. Quirk 21 §7.2: this is not a program's send.
 *
 * @spec 21 §7.2
 */
export function dispatchReply(reducer: RustReducer, ack: Par, data: ListParWithRandom): void {
  const match = reducer.surroundings.space.produce(ack, data, false, undefined);
  if (match !== undefined) dispatch(reducer, match, { caller: match.event, mode: "raised" });
}
