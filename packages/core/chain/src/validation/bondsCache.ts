import { type Block, type Bond, hashKey } from "@vedette/protocol";
import type { InvalidStatus } from "./BlockStatus.js";

/**
 * Check 14: the block's bonds are those of its post-state, in any order.
 *
 * @param bonds the bonds of the proof-of-stake contract in the post-state
 * @spec 40 §5.6
 */
export function checkBondsCache(block: Block, bonds: readonly Bond[]): InvalidStatus | undefined {
  const stated = new Set(block.body.state.bonds.map(keyOf));
  const found = new Set(bonds.map(keyOf));
  const same = stated.size === found.size && [...stated].every((bond) => found.has(bond));
  return same ? undefined : { status: "InvalidBondsCache" };
}

function keyOf({ validator, stake }: Bond): string {
  return `${stake} ${hashKey(validator)}`;
}
