import { normalizeNumbers, parseDerSignature, printDerSignature } from "./ecdsaNumbers.js";
import { SignatureError } from "./SignatureError.js";
import { secp256k1Backend } from "./secp256k1Backend.js";

/**
 * The result of checking a signature.
 *
 * `malformed` is where rnode's library throws instead of returning false: within a Rholang program that is fatal,
 * everywhere else it is the same as `invalid`.
 */
export type SignatureVerdict = "valid" | "invalid" | "malformed";

// rnode's library copies the hash, the signature and the key into one buffer of this size.
const bufferSize = 520;
const hashSize = 32;
const ethNumberSize = 32;

/**
 * Checks an ECDSA signature in DER form, as loosely as rnode does: see `parseDerSignature`.
 *
 * @spec 10 §1.2, 21 §7.3
 * @param hash      32 bytes
 * @param publicKey 33 or 65 bytes, of the forms 02, 03, 04, 06, 07
 * @cost one multiplication on the curve, some 50 µs in native code
 */
export function checkSecp256k1(hash: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): SignatureVerdict {
  if (hash.length !== hashSize || hashSize + signature.length + publicKey.length > bufferSize) return "malformed";
  return checkNumbers(hash, parseDerSignature(signature), publicKey);
}

/**
 * Checks an ECDSA signature that begins with r and s, 32 bytes each.
 *
 * @spec 10 §1.2
 * @param hash 32 bytes
 */
export function checkSecp256k1Eth(hash: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): SignatureVerdict {
  if (hash.length !== hashSize) return "malformed";
  if (signature.length === 0) return "invalid";
  // Quirk 10 §1.2: bytes after r and s, such as the recovery number, are ignored; if s is cut short its digits are the
  // low ones.
  const numbers = new Uint8Array(2 * ethNumberSize);
  const rLength = Math.min(signature.length, ethNumberSize);
  const sLength = Math.min(signature.length - rLength, ethNumberSize);
  numbers.set(signature.subarray(0, rLength), ethNumberSize - rLength);
  numbers.set(signature.subarray(rLength, rLength + sLength), 2 * ethNumberSize - sLength);
  if (hashSize + printDerSignature(numbers).length + publicKey.length > bufferSize) return "malformed";
  return checkNumbers(hash, numbers, publicKey);
}

/** Signs a hash: ECDSA with RFC 6979 and low s, as strict DER. @spec 10 §1.2 */
export function signSecp256k1(hash: Uint8Array, privateKey: Uint8Array): Uint8Array {
  return printDerSignature(signNumbers(hash, privateKey));
}

/** Signs a hash: ECDSA with RFC 6979 and low s, as r and s of 32 bytes each. @spec 10 §1.2 */
export function signSecp256k1Eth(hash: Uint8Array, privateKey: Uint8Array): Uint8Array {
  return signNumbers(hash, privateKey);
}

/** Whether the bytes are a private key: 32 bytes, neither 0 nor too large. @spec 10 §1.2 */
export function isSecp256k1PrivateKey(privateKey: Uint8Array): boolean {
  return privateKey.length === 32 && secp256k1Backend.isPrivateKey(privateKey);
}

/**
 * The public key of a private one, 65 bytes: 04, X, Y.
 *
 * @spec 10 §1.2
 * @throws {SignatureError} `notPrivateKey`
 */
export function secp256k1PublicKeyOf(privateKey: Uint8Array): Uint8Array {
  requirePrivateKey(privateKey);
  return secp256k1Backend.publicKeyOf(privateKey);
}

/**
 * Checks r and s against a key of any form; a high s is as good as the low one.
 *
 * @param numbers r and s, 32 bytes each; `undefined` where there are none
 */
export function checkNumbers(
  hash: Uint8Array,
  numbers: Uint8Array | undefined,
  publicKey: Uint8Array,
): SignatureVerdict {
  if (publicKey.length !== 33 && publicKey.length !== 65) return "invalid";
  // A high s is as good as the low one to rnode, so both are brought to the low one here.
  const normal = numbers === undefined ? undefined : normalizeNumbers(numbers);
  if (normal === undefined) return "invalid";
  try {
    return secp256k1Backend.verify(normal, hash, publicKey) ? "valid" : "invalid";
  } catch {
    // The bytes are no point of the curve.
    return "invalid";
  }
}

function signNumbers(hash: Uint8Array, privateKey: Uint8Array): Uint8Array {
  if (hash.length !== hashSize) throw new SignatureError({ code: "notHash", length: hash.length });
  requirePrivateKey(privateKey);
  return secp256k1Backend.sign(hash, privateKey);
}

function requirePrivateKey(privateKey: Uint8Array): void {
  if (!isSecp256k1PrivateKey(privateKey)) {
    throw new SignatureError({ code: "notPrivateKey", length: privateKey.length });
  }
}
