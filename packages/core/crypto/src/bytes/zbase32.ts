const alphabet = "ybndrfg8ejkmcpqxot1uwisza345h769";

/**
 * Prints the first bits of the bytes in z-base-32, the most significant bit first, 5 bits a character.
 *
 * @spec 21 §7.7
 * @param bits a multiple of 5, at most 8 for each byte
 */
export function printZbase32(bytes: Uint8Array, bits: number): string {
  let text = "";
  for (let bit = 0; bit < bits; bit += 5) {
    const byte = bit >> 3;
    const pair = (bytes[byte]! << 8) | (bytes[byte + 1] ?? 0);
    text += alphabet[(pair >> (11 - (bit & 7))) & 31];
  }
  return text;
}
