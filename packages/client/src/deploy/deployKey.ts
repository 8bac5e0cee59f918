import {
  type DeploySignatureAlgorithm,
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
 * @throws {DeployError} `notPrivateKey`
 */
export function deployKeyOf(privateKey: Uint8Array, algorithm: DeploySignatureAlgorithm = "secp256k1"): DeployKey {
  if (privateKey.length !== privateKeySize || !isSecp256k1PrivateKey(privateKey)) {
    throw new DeployError({ code: "notPrivateKey" });
  }
  return { algorithm, privateKey, publicKey: secp256k1PublicKeyOf(privateKey) };
}

/** The vault address of a key. @spec 10 §1.5 */
export function addressOfKey({ publicKey }: Pick<DeployKey, "publicKey"> & Partial<DeployKey>): string {
  // A public key that was computed from a private one has always the right length.
  return vaultAddressOfPublicKey(publicKey)!;
}
