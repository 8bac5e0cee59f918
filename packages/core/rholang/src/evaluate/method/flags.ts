import { type BitSet, unionBits } from "@vedette/terms";

/** The facts of a term about its variables. */
export interface Flags {
  readonly locallyFree: BitSet;
  readonly connectiveUsed: boolean;
}

/** Flags of two terms together. @spec 21 §6.3 */
export function joinedFlags(one: Flags, other: Flags): Flags {
  return {
    locallyFree: unionBits(one.locallyFree, other.locallyFree),
    connectiveUsed: one.connectiveUsed || other.connectiveUsed,
  };
}
