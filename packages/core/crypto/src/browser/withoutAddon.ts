import type { Secp256k1Addon } from "../signature/secp256k1Backend.js";

/** A browser has no native code. @spec 10 §1.2 */
export function loadSecp256k1Addon(): (() => Secp256k1Addon) | undefined {
  return undefined;
}
