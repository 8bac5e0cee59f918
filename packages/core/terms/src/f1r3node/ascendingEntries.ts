import type { Par } from "../model/Par.js";
import { compareUtf8 } from "../order/compareUtf8.js";

/** The entries of a map in ascending order of their keys: of the bytes of their texts. @spec 61 §2 */
export function ascendingEntries(values: ReadonlyMap<string, Par>): Iterable<readonly [string, Par]> {
  let last: string | undefined;
  for (const key of values.keys()) {
    if (last !== undefined && compareUtf8(last, key) > 0) return [...values].sort(([a], [b]) => compareUtf8(a, b));
    last = key;
  }
  return values;
}
