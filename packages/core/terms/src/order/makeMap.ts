import type { BitSet } from "../model/BitSet.js";
import { EMap, type KeyValuePair } from "../model/Par.js";
import { checkPartCount } from "../model/TermLimitError.js";
import type { Var } from "../model/Var.js";
import { isKnownToAscend } from "./ascending.js";
import type { AtomOrder } from "./compareAtoms.js";
import { inMapOrder } from "./mapOrder.js";
import { sortPairs } from "./sortPar.js";

/**
 * A map of these entries: of entries with equal keys the last value counts; each key and value is sorted and the
 * entries come in the order of their keys.
 *
 * @spec 20 §9.6, 21 §5.5
 * @param isHashed the map comes out of an operation on maps, which always works on a hash trie
 */
export function makeMap(
  pairs: readonly KeyValuePair[],
  locallyFree: BitSet,
  connectiveUsed: boolean,
  remainder: Var | undefined,
  atoms: AtomOrder,
  isHashed = false,
): EMap {
  checkPartCount(pairs.length);
  const kvs = isKnownToAscend(pairs, atoms) ? pairs : inMapOrder(pairs, sortPairs(pairs, atoms), isHashed, atoms);
  return new EMap(kvs, locallyFree, connectiveUsed, remainder);
}
