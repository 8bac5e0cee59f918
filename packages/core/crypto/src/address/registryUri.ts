import { printZbase32 } from "../bytes/zbase32.js";
import { crc14 } from "../hash/crc14.js";

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
