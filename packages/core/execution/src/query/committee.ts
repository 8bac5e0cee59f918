import { type Bond, hashKey } from "@vedette/protocol";

/**
 * The validators that decide in a block of f1r3node: those with a bond in the state of its floor that are active there.
 *
 * @param bonds  as `getBonds` of the proof-of-stake contract answers
 * @param active as its `getActiveValidators` does
 * @returns the bonds of active validators, in their order
 * @spec 61 §13.6
 */
export function committeeOf(bonds: readonly Bond[], active: readonly Uint8Array[]): Bond[] {
  const isActive = new Set(active.map(hashKey));
  return bonds.filter(({ validator }) => isActive.has(hashKey(validator)));
}
