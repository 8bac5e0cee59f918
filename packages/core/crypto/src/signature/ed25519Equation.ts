import { createPublicKey, verify } from "node:crypto";
import { concatBytes } from "../bytes/concat.js";
import { fromHex } from "../bytes/hex.js";

const keyInfoHeader = fromHex("302a300506032b6570032100");

/**
 * Whether R = sB - kA holds, without multiplying by the cofactor, for an s below the order.
 *
 * @spec 21 §7.3
 * @param signature 64 bytes: R, s
 * @param publicKey 32 bytes: A
 */
export function solvesEd25519(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    const key = createPublicKey({
      key: Buffer.from(concatBytes(keyInfoHeader, publicKey)),
      format: "der",
      type: "spki",
    });
    return verify(null, message, key, signature);
  } catch {
    return false;
  }
}
