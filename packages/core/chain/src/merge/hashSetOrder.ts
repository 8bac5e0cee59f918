/**
 * Compares block hashes by the order in which rnode's unordered sets (of more than four) list them.
 *
 * Where the protocol takes "the first in set order", this order is what all nodes agree on. It is that of a trie
 * over the platform's hash code of a byte string, scrambled, five bits at a time from the lowest.
 *
 * @spec 40 §12.1
 */
export function compareInHashSet(left: Uint8Array, right: Uint8Array): number {
  let leftCode = scramble(byteStringCode(left));
  let rightCode = scramble(byteStringCode(right));
  for (let level = 0; level < 7; level += 1) {
    const difference = (leftCode & 31) - (rightCode & 31);
    if (difference !== 0) return difference;
    leftCode >>>= 5;
    rightCode >>>= 5;
  }
  return 0;
}

/** The sum of the bytes, as signed numbers, each times a power of 31; begins with the length and is never 0. */
function byteStringCode(bytes: Uint8Array): number {
  let code = bytes.length | 0;
  for (const byte of bytes) code = (Math.imul(code, 31) + ((byte << 24) >> 24)) | 0;
  return code === 0 ? 1 : code;
}

function scramble(code: number): number {
  let mixed = (code + ~(code << 9)) | 0;
  mixed ^= mixed >>> 14;
  mixed = (mixed + (mixed << 4)) | 0;
  return (mixed ^ (mixed >>> 10)) >>> 0;
}
