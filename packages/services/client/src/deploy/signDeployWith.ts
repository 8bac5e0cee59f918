import type { DeploySignatureAlgorithm } from "@vedette/crypto";
import { signingHash } from "@vedette/crypto";
import { checkDeploySignature as checkSignatureBy, type Deploy, signedBytesOfDeploy } from "@vedette/protocol";
import type { NetworkDialect } from "../term/systemNames.js";
import { type DeployRequest, unsignedDeploy } from "./buildDeploy.js";
import { DeployError } from "./DeployError.js";

/** Signs where the private key is out of reach: a browser's wallet, a device, another machine. */
export interface DeploySigner {
  readonly algorithm: DeploySignatureAlgorithm;
  /** 65 bytes, uncompressed. */
  readonly publicKey: Uint8Array;
  /**
   * Signs a deploy: `secp256k1` as DER of a signature of the hash; `secp256k1:eth` as r and s of 32 bytes each, after
   * which anything may follow, so that `personal_sign` of the data is right as it comes.
   *
   * @param data the bytes to sign
   * @param hash of the data, as the algorithm has it
   */
  sign(data: Uint8Array, hash: Uint8Array): Promise<Uint8Array>;
}

/**
 * Builds a deploy and has it signed.
 *
 * @spec 10 §1.2, §1.3
 * @throws {DeployError} as `buildDeploy`; `badSignature` where what the signer gives does not fit the deploy
 */
export async function signDeployWith(request: DeployRequest, signer: DeploySigner): Promise<Deploy> {
  const unsigned = unsignedDeploy(request);
  const { algorithm, publicKey } = signer;
  const data = signedBytesOfDeploy(unsigned);
  const signed = await signer.sign(data, signingHash(algorithm, data));
  // f1r3node takes r and s alone.
  const signature = algorithm === "secp256k1:eth" ? signed.subarray(0, 64) : signed;
  const deploy = { ...unsigned, deployer: publicKey, signature, algorithm };
  // Its rule is the stricter one: what it takes is right on every network.
  if (!checkDeploySignature(deploy, "f1r3node")) throw new DeployError({ code: "badSignature", algorithm });
  return deploy;
}

/**
 * Whether a deploy's signature is right.
 *
 * @param dialect of the network; what `f1r3node` takes is right on every network
 * @spec 10 §1.2, 61 §1.1
 */
export function checkDeploySignature(deploy: Deploy, dialect: NetworkDialect): boolean {
  return checkSignatureBy(deploy, { signatureRules: dialect });
}
