import { sha256 as sha256OfNoble } from "@noble/hashes/sha2.js";

/** SHA-256. @spec 10 §1.1 */
export function sha256(data: Uint8Array): Uint8Array {
  return sha256OfNoble(data);
}
