/** PERF: a small number, where a text of the whole hash would have to be made for each look. */
export function firstBits(hash: Uint8Array): number {
  return hash[0]! | (hash[1]! << 8) | (hash[2]! << 16) | ((hash[3]! & 0x3f) << 24);
}
