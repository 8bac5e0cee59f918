/** Bytes of a varint of a whole number from 0 to 2^53. @spec 20 §10 */
export function varintSize(value: number): number {
  if (value < 0x80) return 1;
  if (value < 0x4000) return 2;
  if (value < 0x200000) return 3;
  if (value < 0x10000000) return 4;
  if (value < 0x800000000) return 5;
  if (value < 0x40000000000) return 6;
  if (value < 0x2000000000000) return 7;
  return 8;
}

/** Bytes of a length-delimited field: a tag of one byte, the length, the content. */
export function framedSize(size: number): number {
  return 1 + varintSize(size) + size;
}

/** As {@link framedSize}, for field numbers 16 to 2047, which have a tag of two bytes. */
export function farFramedSize(size: number): number {
  return 2 + varintSize(size) + size;
}

/** Bytes of an `int32` on the wire; a negative one is sign-extended to 64 bits. */
export function int32Size(value: number): number {
  return value < 0 ? 10 : varintSize(value);
}

/** The zig-zag form of a 32-bit integer, as a non-negative number. */
export function zigZag32(value: number): number {
  return ((value << 1) ^ (value >> 31)) >>> 0;
}

const safeLimit = 2 ** 51;

/** The zig-zag form of a 64-bit integer if it is small enough for a number, else -1. */
export function smallZigZag64(value: bigint): number {
  const number = Number(value);
  if (number >= 0) return number < safeLimit ? number * 2 : -1;
  return number > -safeLimit ? -number * 2 - 1 : -1;
}

/** The zig-zag form of a 64-bit integer. */
export function zigZag64(value: bigint): bigint {
  return BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
}

/** Bytes of a `sint64` on the wire. */
export function sint64Size(value: bigint): number {
  const small = smallZigZag64(value);
  return small >= 0 ? varintSize(small) : uint64Size(zigZag64(value));
}

/** Bytes of the varint of an unsigned 64-bit integer. */
export function uint64Size(value: bigint): number {
  let size = 1;
  for (let rest = value >> 7n; rest > 0n; rest >>= 7n) size += 1;
  return size;
}
