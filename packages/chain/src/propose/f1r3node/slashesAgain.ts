import type { Block } from "@vedette/protocol";
import type { BlockMetadata } from "../../dag/BlockMetadata.js";
import { slashesOf } from "../../slashing/f1r3node/epochSlashing.js";

/** Of each validator the highest stake among those that the parents state. @spec 61 §15.2, §15.3 */
export function stakesOf(parents: readonly BlockMetadata[]): ReadonlyMap<string, bigint> {
  const stakes = new Map<string, bigint>();
  for (const { bonds } of parents)
    for (const [validator, stake] of bonds.stakes)
      if (stake > (stakes.get(validator) ?? 0n)) stakes.set(validator, stake);
  return stakes;
}

/**
 * The invalid blocks of slashes that a merge gave up.
 *
 * @param carriers hashes of the blocks that have the slashes
 * @spec 61 §15.3
 */
export function unslashedBlocks(
  blocks: { find(hash: Uint8Array): Block | undefined },
  carriers: readonly Uint8Array[],
): readonly Uint8Array[] {
  return carriers.flatMap((hash) => {
    const carrier = blocks.find(hash);
    return carrier === undefined ? [] : slashesOf(carrier).map(({ invalidBlockHash }) => invalidBlockHash);
  });
}
