/**
 * Returns a short text that represents a hash as the key of a `Map`: different bytes give different texts.
 *
 * It is not printable. Each character holds two bytes; after the last 32 bytes, each holds one.
 */
export function hashKey(hash: Uint8Array): string {
  const { length } = hash;
  if (length === 32) return packed(hash, 0);
  let text = `${length} bytes: `;
  const whole = length - (length % 32);
  for (let start = 0; start < whole; start += 32) text += packed(hash, start);
  for (let index = whole; index < length; index += 1) text += String.fromCharCode(hash[index]!);
  return text;
}

/** The 32 bytes from an index. */
function packed(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(
    bytes[at]! | (bytes[at + 1]! << 8),
    bytes[at + 2]! | (bytes[at + 3]! << 8),
    bytes[at + 4]! | (bytes[at + 5]! << 8),
    bytes[at + 6]! | (bytes[at + 7]! << 8),
    bytes[at + 8]! | (bytes[at + 9]! << 8),
    bytes[at + 10]! | (bytes[at + 11]! << 8),
    bytes[at + 12]! | (bytes[at + 13]! << 8),
    bytes[at + 14]! | (bytes[at + 15]! << 8),
    bytes[at + 16]! | (bytes[at + 17]! << 8),
    bytes[at + 18]! | (bytes[at + 19]! << 8),
    bytes[at + 20]! | (bytes[at + 21]! << 8),
    bytes[at + 22]! | (bytes[at + 23]! << 8),
    bytes[at + 24]! | (bytes[at + 25]! << 8),
    bytes[at + 26]! | (bytes[at + 27]! << 8),
    bytes[at + 28]! | (bytes[at + 29]! << 8),
    bytes[at + 30]! | (bytes[at + 31]! << 8),
  );
}
