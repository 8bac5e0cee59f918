/**
 * Returns the rank of a text in the iteration of a Scala 2.12 immutable map of more than four entries: the trie is
 * walked by groups of five bits of the improved hash, the least significant group first.
 *
 * @spec 20 §11.2 (trie order)
 */
export function iterationRank(key: string): number {
  let hash = 0;
  for (let i = 0; i < key.length; i += 1) hash = (Math.imul(hash, 31) + key.charCodeAt(i)) | 0;
  hash = (hash + ~(hash << 9)) | 0;
  hash ^= hash >>> 14;
  hash = (hash + (hash << 4)) | 0;
  hash ^= hash >>> 10;
  let rank = 0;
  // Seven groups; the last has two bits. Below 2^35, so exact.
  for (let shift = 0; shift < 35; shift += 5) rank = rank * 32 + ((hash >>> shift) & 31);
  return rank;
}
