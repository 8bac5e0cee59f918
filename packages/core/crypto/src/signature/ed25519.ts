import { solvesEd25519 } from "#ed25519-equation";
import { equalBytes } from "../bytes/compare.js";
import { fromHex } from "../bytes/hex.js";
import type { SignatureVerdict } from "./secp256k1.js";

const publicKeySize = 32;
const signatureSize = 64;

// The y of every point with an order that divides 8, little-endian without the sign of x; the last two are 0 and 1 plus
// p.
const smallOrder: readonly Uint8Array[] = [
  `00${"00".repeat(31)}`,
  `01${"00".repeat(31)}`,
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  `ec${"ff".repeat(30)}7f`,
  `ed${"ff".repeat(30)}7f`,
  `ee${"ff".repeat(30)}7f`,
].map(fromHex);

/**
 * Checks an Ed25519 signature of a message of any length, with the rules of libsodium: the key and R
 * are no points of small order, the key is written in its shortest form, and s is below the order.
 *
 * @spec 21 §7.3
 * @param signature 64 bytes
 * @param publicKey 32 bytes
 */
export function checkEd25519(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): SignatureVerdict {
  if (publicKey.length !== publicKeySize || signature.length !== signatureSize) return "malformed";
  if (isOfSmallOrder(signature.subarray(0, 32)) || isOfSmallOrder(publicKey) || !isCanonical(publicKey)) {
    return "invalid";
  }
  return solvesEd25519(message, signature, publicKey) ? "valid" : "invalid";
}

/**
 * Checks an Ed25519 signature of a message of any length, with the rules of f1r3node's library: points of small
 * order and keys that are not written in their shortest form are taken, s is below the order, and R is written as the
 * equation has it.
 *
 * @spec 61 §1.1
 * @param signature 64 bytes
 * @param publicKey 32 bytes
 */
export function checkEd25519Unchecked(
  message: Uint8Array,
  signature: Uint8Array,
  publicKey: Uint8Array,
): SignatureVerdict {
  if (publicKey.length !== publicKeySize || signature.length !== signatureSize) return "invalid";
  return solvesEd25519(message, signature, publicKey) ? "valid" : "invalid";
}

function isOfSmallOrder(point: Uint8Array): boolean {
  const y = point.slice();
  y[31]! &= 0x7f;
  return smallOrder.some((small) => equalBytes(small, y));
}

/** Whether y is less than p = 2^255 - 19. */
function isCanonical(point: Uint8Array): boolean {
  if ((point[31]! & 0x7f) !== 0x7f || point[0]! < 0xed) return true;
  for (let i = 1; i < 31; i++) if (point[i] !== 0xff) return true;
  return false;
}
