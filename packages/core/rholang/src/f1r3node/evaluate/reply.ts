import type { ListParWithRandom, Par } from "@vedette/terms";
import type { F1r3nodeReduction } from "./F1r3nodeWork.js";
import { dispatch } from "./operations.js";

/**
 * A built-in process answers, with the generator of the request. Quirk 21 §7.2: this is not a program's send.
 *
 * @spec 21 §7.2
 */
export function dispatchReply(reduction: F1r3nodeReduction, ack: Par, data: ListParWithRandom): void {
  const match = reduction.surroundings.space.produce(ack, data, false, undefined);
  if (match !== undefined) dispatch(reduction, match, { caller: match.event, mode: "raised" });
}
