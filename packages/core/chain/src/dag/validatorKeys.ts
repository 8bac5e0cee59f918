import { hashKey } from "@vedette/protocol";

const keys = new WeakMap<Uint8Array, string>();

/**
 * The `hashKey` of a validator, the same object for the same array: thousands of blocks have the same validators, and
 * the keys would be most of the memory of a block.
 *
 * @param validator must not change any more; useful for arrays from {@link BondSets}
 */
export function validatorKeyOf(validator: Uint8Array): string {
  let key = keys.get(validator);
  if (key === undefined) {
    key = hashKey(validator);
    keys.set(validator, key);
  }
  return key;
}
