import { hashKey } from "@vedette/protocol";

const keys = new WeakMap<Uint8Array, string>();

/**
 * The `hashKey` of a validator, the same object for the same array: the maps of thousands of blocks have the same
 * validators, whose keys would be most of what a block takes.
 *
 * @param validator not changed any more; worth it where {@link BondSets} gave it
 */
export function validatorKeyOf(validator: Uint8Array): string {
  let key = keys.get(validator);
  if (key === undefined) {
    key = hashKey(validator);
    keys.set(validator, key);
  }
  return key;
}
