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
