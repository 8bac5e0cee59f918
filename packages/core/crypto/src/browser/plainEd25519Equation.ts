import { ed25519 } from "@noble/curves/ed25519.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { equalBytes } from "../bytes/compare.js";
import { concatBytes } from "../bytes/concat.js";

const { Point } = ed25519;

/**
 * Whether R = sB - kA holds, without multiplying by the cofactor, for an s below the order.
 *
 * The library's own check multiplies by the cofactor, and so takes signatures that libsodium refuses.
 *
 * @spec 21 §7.3
 * @param signature 64 bytes: R, s
 * @param publicKey 32 bytes: A
 */
export function solvesEd25519(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean {
  const order = Point.Fn.ORDER;
  const r = signature.subarray(0, 32);
  const s = littleEndian(signature.subarray(32));
  if (s >= order) return false;
  try {
    // As libraries in C do: a y that is not in its shortest form is reduced. Callers that refuse these keys have
    // checked before.
    const a = Point.fromBytes(publicKey, true);
    const k = littleEndian(sha512(concatBytes(r, publicKey, message))) % order;
    const solution = Point.BASE.multiplyUnsafe(s).subtract(a.multiplyUnsafe(k));
    return equalBytes(solution.toBytes(), r);
  } catch {
    // The key is no point of the curve.
    return false;
  }
}

function littleEndian(bytes: Uint8Array): bigint {
  let number = 0n;
  for (let i = bytes.length - 1; i >= 0; i--) number = (number << 8n) | BigInt(bytes[i]!);
  return number;
}
