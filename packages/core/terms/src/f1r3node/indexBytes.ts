import { type BitSet, emptyBitSet, lastByteSet } from "../model/BitSet.js";

/** No program binds this many variables: an index above comes from damaged bytes and would only fill the memory. */
const maxIndex = 0xffffff;

const shared: (BitSet | undefined)[] = [];
const sharedIndices = 64;

/**
 * The set of one index of f1r3node: a byte for each index up to it, of which only the last is not zero.
 *
 * @spec 61 §5
 * @throws {RangeError} for an index that no binding can have
 */
export function oneIndex(index: number): BitSet {
  if (index < 0 || index > maxIndex) throw new RangeError(`Variable index ${index} is out of range`);
  if (index >= sharedIndices) return lastByteSet(index + 1, 1);
  return (shared[index] ??= lastByteSet(index + 1, 1));
}

/** Byte by byte, as long as the longer one; gives back an operand itself where that is the result. @spec 61 §5 */
export function uniteIndices(left: BitSet, right: BitSet): BitSet {
  if (right.length === 0 || left === right) return left;
  if (left.length === 0) return right;
  const long = left.length >= right.length ? left : right;
  const short = long === left ? right : left;
  let union: BitSet | undefined;
  for (let i = 0; i < short.length; i += 1) {
    const byte = long[i]! | short[i]!;
    if (byte === long[i]) continue;
    union ??= long.slice();
    union[i] = byte;
  }
  return union ?? long;
}

/**
 * Returns the part of a set that remains outside a binder of `count` variables.
 *
 * Quirk 61 §5: a byte no longer states whether its index is there, but keeps its place in the new set, as one byte.
 */
export function indicesOutside(bytes: BitSet, count: number): BitSet {
  if (bytes.length <= count) return emptyBitSet;
  const outside = new Uint8Array(bytes.length - count);
  for (let i = 0; i < outside.length; i += 1) outside[i] = i & 0xff;
  return outside;
}
