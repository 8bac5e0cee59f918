import { createRequire } from "node:module";
import type { Secp256k1Addon } from "./secp256k1Backend.js";

/** The native addon of the package `secp256k1`; `undefined` where the machine has none. @spec 10 §1.2 */
export function loadSecp256k1Addon(): Secp256k1Addon | undefined {
  try {
    return createRequire(import.meta.url)("secp256k1/bindings.js") as Secp256k1Addon;
  } catch {
    return undefined;
  }
}
