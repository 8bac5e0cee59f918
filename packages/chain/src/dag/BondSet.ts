import type { Bond } from "@vedette/protocol";
import { validatorKeyOf } from "./validatorKeys.js";

/**
 * The bonds cache of a block as a map; shared by all blocks that have the same one.
 *
 * @spec 40 §1.1, §8.1
 */
export class BondSet {
  readonly bonds: readonly Bond[];
  /** Stake by validator; of a validator that stands twice the last counts. */
  readonly stakes: ReadonlyMap<string, bigint>;
  readonly total: bigint;

  constructor(bonds: readonly Bond[]) {
    const stakes = new Map<string, bigint>();
    for (const { validator, stake } of bonds) stakes.set(validatorKeyOf(validator), stake);
    let total = 0n;
    for (const stake of stakes.values()) total += stake;
    this.bonds = bonds;
    this.stakes = stakes;
    // The reference adds 64-bit numbers.
    this.total = BigInt.asIntN(64, total);
  }
}
