/** Few enough to be arguments of one call. */
const mostArguments = 1024;

/**
 * A short text that stands for a hash as the key of a `Map`: different bytes give different texts.
 *
 * Not for people. A 32-byte hash packs two bytes into each character.
 */
export function hashKey(hash: Uint8Array): string {
  if (hash.length !== 32) return `not of 32 bytes: ${textOf(hash)}`;
  return String.fromCharCode(
    hash[0]! | (hash[1]! << 8),
    hash[2]! | (hash[3]! << 8),
    hash[4]! | (hash[5]! << 8),
    hash[6]! | (hash[7]! << 8),
    hash[8]! | (hash[9]! << 8),
    hash[10]! | (hash[11]! << 8),
    hash[12]! | (hash[13]! << 8),
    hash[14]! | (hash[15]! << 8),
    hash[16]! | (hash[17]! << 8),
    hash[18]! | (hash[19]! << 8),
    hash[20]! | (hash[21]! << 8),
    hash[22]! | (hash[23]! << 8),
    hash[24]! | (hash[25]! << 8),
    hash[26]! | (hash[27]! << 8),
    hash[28]! | (hash[29]! << 8),
    hash[30]! | (hash[31]! << 8),
  );
}

function textOf(bytes: Uint8Array): string {
  if (bytes.length <= mostArguments) return String.fromCharCode(...bytes);
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
