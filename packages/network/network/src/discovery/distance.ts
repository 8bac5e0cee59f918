/** Buckets of a table, and bits of a key. @spec 10 §5 */
export const keyBits = 160;

/**
 * How close two keys are: the number of leading bits that they share; 160 for the same key.
 *
 * @spec 10 §5
 * @returns `undefined` where a key has a wrong length
 */
export function commonPrefix(one: Uint8Array, other: Uint8Array): number | undefined {
  if (one.length * 8 !== keyBits || other.length !== one.length) return undefined;
  for (let index = 0; index < one.length; index++) {
    const difference = (one[index] as number) ^ (other[index] as number);
    if (difference !== 0) return index * 8 + Math.clz32(difference) - 24;
  }
  return keyBits;
}

/**
 * A key to look for peers at a distance: the own id with one bit flipped.
 *
 * @spec 10 §5
 */
export function keyAtDistance(own: Uint8Array, distance: number): Uint8Array {
  const key = own.slice();
  const byte = distance >> 3;
  // Quirk 10 §5: bits are counted from the least significant here, from the most significant in `commonPrefix`.
  key[byte] = (key[byte] as number) ^ (1 << (distance & 7));
  return key;
}
