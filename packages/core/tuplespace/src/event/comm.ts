import { compareProduces, type ProduceEvent } from "@vedette/protocol";
import type { Datum } from "../leaf/Datum.js";

/**
 * The produces of a COMM: the sources of its data in order, duplicates kept.
 *
 * @spec 30 §3.2
 */
export function commSources(candidates: readonly { readonly datum: Datum }[]): ProduceEvent[] {
  const produces = candidates.map(({ datum }) => datum.source);
  return produces.length < 2 ? produces : produces.sort(compareProduces);
}
