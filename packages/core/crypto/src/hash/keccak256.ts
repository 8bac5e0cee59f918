import { keccak_256 } from "@noble/hashes/sha3.js";

/** Keccak-256 with the original padding `01`, which is not SHA3-256. @spec 10 §1.1 */
export function keccak256(data: Uint8Array): Uint8Array {
  return keccak_256(data);
}
