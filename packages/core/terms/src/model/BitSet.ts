/**
 * A set of small non-negative integers in its wire form: index i is bit (i mod 8) of byte (i div 8), and the
 * last byte is never zero, so that the empty set has no bytes. Immutable.
 *
 * @spec 20 §10
 */
export type BitSet = Uint8Array;

/** The set without members. */
export const emptyBitSet: BitSet = new Uint8Array(0);

const byteBitSets: (BitSet | undefined)[] = [];

/** Returns the set with this one byte as its wire form; shared, as most sets of a term are this small. */
export function byteBitSet(byte: number): BitSet {
  if (byte === 0) return emptyBitSet;
  return (byteBitSets[byte] ??= Uint8Array.of(byte));
}

/** No program binds this many variables: an index above comes from damaged bytes and would only fill the memory. */
const maxIndex = 0xffffff;

/**
 * The set with one member.
 *
 * @throws {RangeError} for an index that no binding can have
 */
export function singleBit(index: number): BitSet {
  if (index < 0 || index > maxIndex) throw new RangeError(`Variable index ${index} is out of range`);
  if (index < 8) return byteBitSet(1 << index);
  return lastByteSet((index >>> 3) + 1, 1 << (index & 7));
}

/** This many bytes cost less than a view of others. */
const fewBytes = 64;

/** By the last byte: zeros, and it. */
const tails = new Map<number, Uint8Array>();

/**
 * The set of which only the last byte is not zero.
 *
 * PERF: those of one last byte are the ends of one array, as a program may name thousands of variables, each of which has
 * a large index.
 */
export function lastByteSet(length: number, last: number): BitSet {
  if (length <= fewBytes) {
    const bytes = new Uint8Array(length);
    bytes[length - 1] = last;
    return bytes;
  }
  const known = tails.get(last);
  const tail = known !== undefined && known.length >= length ? known : longTail(length, last);
  return new Uint8Array(tail.buffer, tail.length - length);
}

function longTail(length: number, last: number): Uint8Array {
  const tail = new Uint8Array(2 ** Math.ceil(Math.log2(length)));
  tail[tail.length - 1] = last;
  tails.set(last, tail);
  return tail;
}

/** Brings a decoded byte string to canonical form by dropping zero bytes at its end. */
export function bitSetFromBytes(bytes: Uint8Array): BitSet {
  let length = bytes.length;
  while (length > 0 && bytes[length - 1] === 0) length -= 1;
  if (length <= 1) return byteBitSet(length === 0 ? 0 : bytes[0]!);
  return length === bytes.length ? bytes : bytes.slice(0, length);
}

/** Union; gives back an operand itself where that is the result. */
export function unionBits(left: BitSet, right: BitSet): BitSet {
  if (right.length === 0) return left;
  if (left.length === 0) return right;
  const long = left.length >= right.length ? left : right;
  const short = long === left ? right : left;
  let isSubset = true;
  for (let i = 0; i < short.length; i += 1) {
    if ((long[i]! | short[i]!) !== long[i]) {
      isSubset = false;
      break;
    }
  }
  if (isSubset) return long;
  if (long.length === 1) return byteBitSet(long[0]! | short[0]!);
  const union = long.slice();
  for (let i = 0; i < short.length; i += 1) union[i] = union[i]! | short[i]!;
  return union;
}

/** Members below `limit`; gives back the set itself when nothing is cut. */
export function bitsBelow(bits: BitSet, limit: number): BitSet {
  if (bits.length << 3 <= limit || bits.length === 0) return bits;
  if (limit <= 0) return emptyBitSet;
  if (bits.length === 1) {
    const cut = bits[0]! & ((1 << limit) - 1);
    return cut === bits[0] ? bits : byteBitSet(cut);
  }
  const mask = (1 << (limit & 7)) - 1;
  let end = limit >>> 3;
  const last = bits[end]! & mask;
  if (bits.length === end + 1 && last === bits[end]) return bits;
  if (last !== 0) end += 1;
  else while (end > 0 && bits[end - 1] === 0) end -= 1;
  // Here `end` is the length of the result; its last byte is the cut one or a whole one.
  const isCut = last !== 0;
  if (end <= 1) return end === 0 ? emptyBitSet : byteBitSet(isCut ? last : bits[0]!);
  const cut = bits.slice(0, end);
  if (isCut) cut[end - 1] = last;
  return cut;
}

/** Members not below `count`, each reduced by `count` (what remains free outside `count` bindings). */
export function shiftBitsDown(bits: BitSet, count: number): BitSet {
  if (count <= 0 || bits.length === 0) return bits;
  if (bits.length === 1) return count < 8 ? byteBitSet(bits[0]! >>> count) : emptyBitSet;
  const members: number[] = [];
  for (const member of bitMembers(bits)) if (member >= count) members.push(member - count);
  return bitSetOf(members);
}

/** Whether an index is a member. */
export function hasBit(bits: BitSet, index: number): boolean {
  const byte = bits[index >>> 3];
  return byte !== undefined && (byte & (1 << (index & 7))) !== 0;
}

/** The set of these members, which may come in any order. */
export function bitSetOf(members: readonly number[]): BitSet {
  let highest = -1;
  for (const member of members) if (member > highest) highest = member;
  if (highest < 8) return byteBitSet(members.reduce((bits, member) => bits | (1 << member), 0));
  const bytes = new Uint8Array((highest >>> 3) + 1);
  for (const member of members) bytes[member >>> 3] = bytes[member >>> 3]! | (1 << (member & 7));
  return bytes;
}

/** Members in ascending order. */
export function bitMembers(bits: BitSet): number[] {
  const members: number[] = [];
  for (let byte = 0; byte < bits.length; byte += 1)
    for (let bit = 0; bit < 8; bit += 1) if ((bits[byte]! & (1 << bit)) !== 0) members.push(byte * 8 + bit);
  return members;
}
