import { createRequire } from "node:module";
import { dirname } from "node:path";
import type { Secp256k1Addon } from "./secp256k1Backend.js";

/** The class that the native addon exports. */
type NativeContext = new () => object;

/**
 * Loads the native addon of the package `secp256k1`, as its `bindings.js` does.
 *
 * PERF: its tables take 5 ms, so that they are not made before the first signature. A thread that a query waits for
 * seldom checks any.
 *
 * @returns gives the addon at its first use; `undefined` where the machine has none
 * @spec 10 §1.2
 */
export function loadSecp256k1Addon(): (() => Secp256k1Addon) | undefined {
  try {
    const bindings = createRequire(import.meta.url).resolve("secp256k1/bindings.js");
    const requireThere = createRequire(bindings);
    const loadNative = requireThere("node-gyp-build") as (folder: string) => { readonly Secp256k1: NativeContext };
    const { Secp256k1 } = loadNative(dirname(bindings));
    const addonOf = requireThere("./lib") as (context: object) => Secp256k1Addon;
    let addon: Secp256k1Addon | undefined;
    return () => (addon ??= addonOf(new Secp256k1()));
  } catch {
    return undefined;
  }
}
