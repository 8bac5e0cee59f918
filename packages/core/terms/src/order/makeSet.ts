import type { BitSet } from "../model/BitSet.js";
import { ESet, type Par } from "../model/Par.js";
import { checkPartCount } from "../model/TermLimitError.js";
import type { Var } from "../model/Var.js";
import { isKnownToAscend } from "./ascending.js";
import type { AtomOrder } from "./compareAtoms.js";
import { inSetOrder } from "./setOrder.js";
import { sortEach } from "./sortPar.js";

/** A set of these elements: duplicates removed, then each element and the list put in canonical order. @spec 20 §9.6 */
export function makeSet(
  elements: readonly Par[],
  locallyFree: BitSet,
  connectiveUsed: boolean,
  remainder: Var | undefined,
  atoms: AtomOrder,
): ESet {
  checkPartCount(elements.length);
  const ps = isKnownToAscend(elements, atoms) ? elements : inSetOrder(elements, sortEach(elements, atoms), atoms);
  return new ESet(ps, locallyFree, connectiveUsed, remainder);
}
