/**
 * A 64-bit number as the nearest 32-bit float.
 *
 * Through a 64-bit float it could be rounded twice, which is not the same.
 *
 * @spec 40 §8.1
 */
export function float32(value: bigint): number {
  const magnitude = value < 0n ? -value : value;
  if (magnitude < 1n << 53n) return Math.fround(Number(value));
  const shift = BigInt(magnitude.toString(2).length - 40);
  let top = magnitude >> shift;
  // The bits that are cut off still decide a tie.
  if (top << shift !== magnitude) top |= 1n;
  const rounded = Math.fround(Math.fround(Number(top)) * 2 ** Number(shift));
  return value < 0n ? -rounded : rounded;
}
