import { createBLAKE2b } from "hash-wasm";

const hasher = await createBLAKE2b(256);

/** BLAKE2b with a digest of 32 bytes, unkeyed; the result is a copy of its own. @spec 10 §1.1 */
export function blake2b256(data: Uint8Array): Uint8Array {
  return hasher.init().update(data).digest("binary");
}

/** {@link blake2b256} of several parts, as if they were put after each other. @spec 10 §1.1 */
export function blake2b256Of(parts: readonly Uint8Array[]): Uint8Array {
  hasher.init();
  for (let i = 0; i < parts.length; i++) hasher.update(parts[i]!);
  return hasher.digest("binary");
}
