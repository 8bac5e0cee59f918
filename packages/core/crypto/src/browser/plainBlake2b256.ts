import { blake2b } from "@noble/hashes/blake2.js";

// A page may forbid WebAssembly (`Content-Security-Policy`), which the node's own function is made of.
const digest = { dkLen: 32 };
const inputSize = 0xff00;

/** BLAKE2b with a digest of 32 bytes, unkeyed. @spec 10 §1.1 */
export function blake2b256(data: Uint8Array): Uint8Array {
  return blake2b(data, digest);
}

/** Room for data that are made only to be hashed. @spec 10 §1.1 */
export const blake2b256Input: Uint8Array = new Uint8Array(inputSize);

/** {@link blake2b256} of the first bytes of {@link blake2b256Input}. @spec 10 §1.1 */
export function blake2b256OfInput(length: number): Uint8Array {
  return blake2b256(blake2b256Input.subarray(0, length));
}

/** {@link blake2b256} of several parts, as if they were put after each other. @spec 10 §1.1 */
export function blake2b256Of(parts: readonly Uint8Array[]): Uint8Array {
  const hash = blake2b.create(digest);
  for (const part of parts) hash.update(part);
  return hash.digest();
}
