const significantBits = 256 + 14;

/**
 * The URI under which a value lies in the registry.
 *
 * @spec 41 §6.1.5, 21 §7.7
 * @param hash 32 bytes, the Blake2b-256 of what the URI is made from
 */
export function registryUri(hash: Uint8Array): string {
  const checksum = crc14(hash);
  const bytes = new Uint8Array(hash.length + 2);
  bytes.set(hash);
  bytes[hash.length] = checksum & 0xff;
  // The upper 6 of 14 bits go to the upper end of their byte, so that all the significant bits are in one run.
  bytes[hash.length + 1] = (checksum & 0xff00) >> 6;
  return `rho:id:${printZbase32(bytes, significantBits)}`;
}

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

const width = 14;
const polynomial = 0x4805;

/**
 * The checksum of 14 bits within registry URIs.
 *
 * rnode takes bytes as signed and works in 16 bits; the extra high bits fall out, so that
 * this plain form gives the same.
 *
 * @spec 41 §6.1.5, 21 §7.7
 */
export function crc14(bytes: Uint8Array): number {
  let remainder = 0;
  for (let i = 0; i < bytes.length; i++) {
    remainder ^= bytes[i]! << (width - 8);
    for (let bit = 0; bit < 8; bit++) {
      remainder <<= 1;
      if ((remainder & (1 << width)) !== 0) remainder ^= polynomial;
    }
  }
  return remainder;
}
