import { blake2b256 } from "@vedette/crypto";
import { type Bond, ProtoWriter } from "@vedette/protocol";
import { validatorKeyOf } from "./validatorKeys.js";

/**
 * The bonds cache of a block as a map; shared by all blocks that have the same one.
 *
 * @spec 40 §1.1, §8.1
 */
export class BondSet {
  readonly bonds: readonly Bond[];
  /** Stake by validator; if a validator is listed twice the last entry counts. */
  readonly stakes: ReadonlyMap<string, bigint>;
  readonly total: bigint;
  private places: ReadonlyMap<string, number> | undefined;
  private cachedHash: Uint8Array | undefined;

  /** @param hash of {@link encodeBonds}, where it is known */
  constructor(bonds: readonly Bond[], hash?: Uint8Array) {
    const stakes = new Map<string, bigint>();
    for (const { validator, stake } of bonds) stakes.set(validatorKeyOf(validator), stake);
    let total = 0n;
    for (const stake of stakes.values()) total += stake;
    this.bonds = bonds;
    this.stakes = stakes;
    // rnode adds 64-bit numbers.
    this.total = BigInt.asIntN(64, total);
    this.cachedHash = hash;
  }

  /** Blake2b-256 of {@link encodeBonds}: under it the set is stored. */
  get hash(): Uint8Array {
    return (this.cachedHash ??= blake2b256(encodeBonds(this.bonds)));
  }

  /** Returns a validator's index in the list. */
  placeOf(validatorKey: string): number | undefined {
    this.places ??= new Map(this.bonds.map(({ validator }, place) => [validatorKeyOf(validator), place]));
    return this.places.get(validatorKey);
  }
}

/** The stored form: for each the key, then the stake unless it is zero. @spec 40 §6.1 */
export function encodeBonds(bonds: readonly Bond[]): Uint8Array {
  const writer = new ProtoWriter();
  for (const { validator, stake } of bonds) {
    writer.bytesElement(0x0a, validator);
    writer.int64Field(0x10, stake);
  }
  return writer.finish();
}
