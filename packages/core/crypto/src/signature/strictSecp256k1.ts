import { equalBytes } from "../bytes/compare.js";
import { hasLowS, parseDerSignature, printDerSignature } from "./ecdsaNumbers.js";
import { checkNumbers, type SignatureVerdict } from "./secp256k1.js";

const hashSize = 32;
const numbersSize = 64;
const [evenForm, oddForm, wholeForm, evenFormOfTaproot] = [2, 3, 4, 5];

/**
 * Checks an ECDSA signature with the rules of f1r3node's library: strict DER, a low s, no hybrid keys.
 *
 * @spec 61 §1.1
 * @param hash 32 bytes, else nothing is valid
 * @param publicKey 33 bytes of the forms 02, 03 and 05 (which is 02), or 65 of the form 04
 */
export function checkStrictSecp256k1(hash: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): SignatureVerdict {
  const numbers = parseDerSignature(signature);
  // The one form in which DER writes these numbers.
  if (numbers === undefined || !equalBytes(printDerSignature(numbers), signature)) return "invalid";
  return checkLowNumbers(hash, numbers, publicKey);
}

/** The same for a signature that is r and s of 32 bytes each, with nothing behind them. @spec 61 §1.1 */
export function checkStrictSecp256k1Eth(
  hash: Uint8Array,
  signature: Uint8Array,
  publicKey: Uint8Array,
): SignatureVerdict {
  return signature.length === numbersSize ? checkLowNumbers(hash, signature, publicKey) : "invalid";
}

function checkLowNumbers(hash: Uint8Array, numbers: Uint8Array, publicKey: Uint8Array): SignatureVerdict {
  const key = keyOf(publicKey);
  if (hash.length !== hashSize || key === undefined || !hasLowS(numbers)) return "invalid";
  return checkNumbers(hash, numbers, key);
}

function keyOf(publicKey: Uint8Array): Uint8Array | undefined {
  const [form] = publicKey;
  if (publicKey.length === 65) return form === wholeForm ? publicKey : undefined;
  if (publicKey.length !== 33) return undefined;
  if (form === evenFormOfTaproot) return Uint8Array.of(evenForm, ...publicKey.subarray(1));
  return form === evenForm || form === oddForm ? publicKey : undefined;
}
