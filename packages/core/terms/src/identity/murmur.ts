/** MurmurHash3 (x86, 32 bits) and the Java hashes of plain values. @spec 20 §11.2 */
export function mix(hash: number, data: number): number {
  const h = mixLast(hash, data);
  return (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
}

/** {@link mix} without its last step. */
export function mixLast(hash: number, data: number): number {
  const k = Math.imul(data, 0xcc9e2d51);
  return hash ^ Math.imul((k << 15) | (k >>> 17), 0x1b873593);
}

/** The final avalanche over `count` members. */
export function sealed(hash: number, count: number): number {
  let h = hash ^ count;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** Where the hash of a message starts. */
export const productSeed = 0xcafebabe | 0;

/** Java's hash of a text, by UTF-16 units. */
export function textHash(text: string): number {
  let h = 0;
  for (let i = 0; i < text.length; i += 1) h = (Math.imul(h, 31) + text.charCodeAt(i)) | 0;
  return h;
}

/** Java's hash of a bool. */
export function flagHash(flag: boolean): number {
  return flag ? 1231 : 1237;
}

/** Scala's hash of a 64-bit integer: itself where 32 bits hold it, else its halves folded. */
export function longHash(value: bigint): number {
  const low = Number(BigInt.asIntN(32, value));
  return BigInt(low) === value ? low : low ^ Number(BigInt.asIntN(32, value >> 32n));
}

/** The hash of protobuf's byte strings. */
export function bytesHash(bytes: Uint8Array): number {
  let h = bytes.length;
  for (let i = 0; i < bytes.length; i += 1) h = (Math.imul(h, 31) + ((bytes[i]! << 24) >> 24)) | 0;
  return h === 0 ? 1 : h;
}

/** The hash of an absent optional field. */
export const noneHash = textHash("None");
