import { secp256k1 as nobleSecp256k1 } from "@noble/curves/secp256k1.js";
import { loadSecp256k1Addon } from "#secp256k1-addon";

/**
 * The curve arithmetic of secp256k1, without any rule of the protocol.
 *
 * Signatures are 64 bytes, r and s; the callers keep r and s within the curve's order and s low.
 */
export type Secp256k1Backend = {
  /** @param publicKey 33 or 65 bytes of any form */
  verify(signature: Uint8Array, hash: Uint8Array, publicKey: Uint8Array): boolean;
  /** RFC 6979 with HMAC-SHA256, s low */
  sign(hash: Uint8Array, privateKey: Uint8Array): Uint8Array;
  isPrivateKey(privateKey: Uint8Array): boolean;
  /** @returns 65 bytes, uncompressed */
  publicKeyOf(privateKey: Uint8Array): Uint8Array;
};

/** The exports of the native addon of the package `secp256k1` that are used here. */
export type Secp256k1Addon = {
  ecdsaVerify(signature: Uint8Array, hash: Uint8Array, publicKey: Uint8Array): boolean;
  ecdsaSign(hash: Uint8Array, privateKey: Uint8Array): { readonly signature: Uint8Array };
  privateKeyVerify(privateKey: Uint8Array): boolean;
  publicKeyCreate(privateKey: Uint8Array, compressed: boolean): Uint8Array;
};

const addon = loadSecp256k1Addon();

/**
 * Whether signatures are checked by native code.
 *
 * Without it one check takes some 30 times as long; the node logs that.
 *
 * @spec 10 §1.2
 */
export const isNativeSecp256k1 = addon !== undefined;

/** Native code where it is there, else JavaScript. @spec 10 §1.2 */
export const secp256k1Backend: Secp256k1Backend =
  addon === undefined ? createPlainBackend() : createNativeBackend(addon);

function createNativeBackend(native: () => Secp256k1Addon): Secp256k1Backend {
  return {
    verify: (signature, hash, publicKey) => native().ecdsaVerify(signature, hash, publicKey),
    sign: (hash, privateKey) => new Uint8Array(native().ecdsaSign(hash, privateKey).signature),
    isPrivateKey: (privateKey) => native().privateKeyVerify(privateKey),
    publicKeyOf: (privateKey) => new Uint8Array(native().publicKeyCreate(privateKey, false)),
  };
}

/** The same in plain JavaScript, for machines without a prebuilt addon. @spec 10 §1.2 */
export function createPlainBackend(): Secp256k1Backend {
  return {
    verify: (signature, hash, publicKey) => {
      const key = withoutHybridForm(publicKey);
      return nobleSecp256k1.verify(signature, hash, key, { prehash: false, format: "compact", lowS: true });
    },
    sign: (hash, privateKey) =>
      nobleSecp256k1.sign(hash, privateKey, { prehash: false, format: "compact", lowS: true }),
    isPrivateKey: (privateKey) => nobleSecp256k1.utils.isValidSecretKey(privateKey),
    publicKeyOf: (privateKey) => nobleSecp256k1.getPublicKey(privateKey, false),
  };
}

/** The forms 06 and 07 carry both coordinates and the parity of y; a wrong parity makes them invalid. */
function withoutHybridForm(publicKey: Uint8Array): Uint8Array {
  const form = publicKey[0];
  if (publicKey.length !== 65 || (form !== 6 && form !== 7) || form - 6 !== publicKey[64]! % 2) return publicKey;
  const key = publicKey.slice();
  key[0] = 4;
  return key;
}
