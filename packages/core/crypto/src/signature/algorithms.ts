import { blake2b256 } from "#blake2b256";
import { concatBytes } from "../bytes/concat.js";
import { keccak256 } from "../hash/keccak256.js";
import { checkEd25519, checkEd25519Unchecked } from "./ed25519.js";
import { SignatureError } from "./SignatureError.js";
import type { SignatureVerdict } from "./secp256k1.js";
import { checkSecp256k1, checkSecp256k1Eth, signSecp256k1, signSecp256k1Eth } from "./secp256k1.js";
import { checkStrictSecp256k1, checkStrictSecp256k1Eth } from "./strictSecp256k1.js";

/** The algorithms that rnode has code for. @spec 10 §1.2 */
export type SignatureAlgorithm = "secp256k1" | "secp256k1:eth" | "ed25519";

/** The libraries that decide whether a signature is valid. @spec 10 §1.2, 61 §1.1 */
export type SignatureRules = "rnode" | "f1r3node";

/** The algorithms that a deploy may be signed with. @spec 10 §1.2, §1.3 */
export type DeploySignatureAlgorithm = "secp256k1" | "secp256k1:eth";

/**
 * Looks up an algorithm by the name in a deploy, in either case.
 *
 * Blocks and approvals know the exact name `secp256k1` alone and do not use this.
 *
 * @spec 10 §1.2, §1.3
 * @returns its canonical name; `undefined` for any other, `ed25519` included
 */
export function findDeploySignatureAlgorithm(name: string): DeploySignatureAlgorithm | undefined {
  const lower = name.toLowerCase();
  return lower === "secp256k1" || lower === "secp256k1:eth" ? lower : undefined;
}

/** The hash that a signature of these bytes is over. @spec 10 §1.2 */
export function signingHash(algorithm: DeploySignatureAlgorithm, data: Uint8Array): Uint8Array {
  if (algorithm === "secp256k1") return blake2b256(data);
  const prefix = `\u0019Ethereum Signed Message:\n${data.length}`;
  return keccak256(concatBytes(new TextEncoder().encode(prefix), data));
}

/**
 * Checks a signature and distinguishes where rnode's library would throw; f1r3node's never do.
 *
 * @spec 10 §1.2, 21 §7.3, 61 §1.1
 * @param message the hash of 32 bytes; for `ed25519` the message itself
 */
export function checkSignature(
  rules: SignatureRules,
  algorithm: SignatureAlgorithm,
  { message, signature, publicKey }: Signed,
): SignatureVerdict {
  return checks[rules][algorithm](message, signature, publicKey);
}

/** A message with its signature, algorithm and public key. */
export interface Signed {
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
  readonly publicKey: Uint8Array;
}

type SignatureCheck = (message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array) => SignatureVerdict;

const checks: Readonly<Record<SignatureRules, Readonly<Record<SignatureAlgorithm, SignatureCheck>>>> = {
  rnode: { secp256k1: checkSecp256k1, "secp256k1:eth": checkSecp256k1Eth, ed25519: checkEd25519 },
  f1r3node: {
    secp256k1: checkStrictSecp256k1,
    "secp256k1:eth": checkStrictSecp256k1Eth,
    ed25519: checkEd25519Unchecked,
  },
};

/** Whether a signature is valid; malformed input is not, and never throws. @spec 10 §1.2, 61 §1.1 */
export function verifySignature(rules: SignatureRules, algorithm: SignatureAlgorithm, signed: Signed): boolean {
  return checkSignature(rules, algorithm, signed) === "valid";
}

/**
 * Signs a hash of 32 bytes: the same hash and key always give the same signature.
 *
 * @spec 10 §1.2
 * @throws {SignatureError} `notHash`, `notPrivateKey`; `cannotSign` for `ed25519`
 */
export function signHash(algorithm: SignatureAlgorithm, hash: Uint8Array, privateKey: Uint8Array): Uint8Array {
  switch (algorithm) {
    case "secp256k1":
      return signSecp256k1(hash, privateKey);
    case "secp256k1:eth":
      return signSecp256k1Eth(hash, privateKey);
    case "ed25519":
      throw new SignatureError({ code: "cannotSign", algorithm });
  }
}
