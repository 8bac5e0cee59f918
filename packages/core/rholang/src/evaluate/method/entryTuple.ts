import { ETuple, emptyBitSet, type KeyValuePair, type Par, parOfExpr } from "@vedette/terms";

/** A map's entry as `(key, value)`, with empty flags. @spec 21 §6.3 */
export function entryTuple(entry: KeyValuePair): Par {
  return parOfExpr(new ETuple([entry.key, entry.value], emptyBitSet, false));
}
