import { blake2b256 } from "@vedette/crypto";
import type { Par } from "../model/Par.js";
import { encodePar } from "../wire/encode.js";

/** Blake2b-256 of a term's canonical bytes: its identity as a channel. Kept on the Par. @spec 20 §10 */
export function channelHash(par: Par): Uint8Array {
  return (par.cachedHash ??= blake2b256(encodePar(par)));
}
