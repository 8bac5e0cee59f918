import {
  type DeploySignatureAlgorithm,
  fromHex,
  isSecp256k1PrivateKey,
  secp256k1PublicKeyOf,
  vaultAddressOfPublicKey,
} from "@vedette/crypto";
import type { DeployKey } from "@vedette/protocol";
import { DeployError } from "./DeployError.js";

const privateKeySize = 32;

/**
 * The key pair of a private key; `secp256k1:eth` signs as Ethereum's wallets do.
 *
 * @spec 10 §1.2
 * @param given 32 bytes, or 64 hexadecimal digits
 * @throws {DeployError} `notPrivateKey`
 */
export function deployKeyOf(given: Uint8Array | string, algorithm: DeploySignatureAlgorithm = "secp256k1"): DeployKey {
  const privateKey = typeof given === "string" ? keyBytes(given) : given;
  if (privateKey.length !== privateKeySize || !isSecp256k1PrivateKey(privateKey)) {
    throw new DeployError({ code: "notPrivateKey" });
  }
  return { algorithm, privateKey, publicKey: secp256k1PublicKeyOf(privateKey) };
}

function keyBytes(text: string): Uint8Array {
  // Anything else than digits may be a key that was typed wrong, and is not repeated.
  if (!/^[0-9a-fA-F]{64}$/.test(text)) throw new DeployError({ code: "notPrivateKey" });
  return fromHex(text);
}

/** The vault address of a key. @spec 10 §1.5 */
export function addressOfKey({ publicKey }: Pick<DeployKey, "publicKey"> & Partial<DeployKey>): string {
  // A public key that was computed from a private one has always the right length.
  return vaultAddressOfPublicKey(publicKey)!;
}
