import { type DeploySignatureAlgorithm, signHash, signingHash, verifySignature } from "@vedette/crypto";
import type { Dialect } from "../dialect/Dialect.js";
import type { Deploy, UnsignedDeploy } from "./Deploy.js";
import { signedBytesOfDeploy } from "./deployCodec.js";

/** Whether a deploy's signature is right, by the rules of a network. @spec 10 §1.3, 61 §1.1 */
export function checkDeploySignature(deploy: Deploy, { signatureRules }: Pick<Dialect, "signatureRules">): boolean {
  const message = signingHash(deploy.algorithm, signedBytesOfDeploy(deploy));
  const { signature, deployer: publicKey } = deploy;
  return verifySignature(signatureRules, deploy.algorithm, { message, signature, publicKey });
}

/** The key that signs a new deploy. */
export interface DeployKey {
  readonly algorithm: DeploySignatureAlgorithm;
  readonly privateKey: Uint8Array;
  readonly publicKey: Uint8Array;
}

/** Signs a deploy; the same key and deploy always give the same signature. @spec 10 §1.2, §1.3 */
export function signDeploy(unsigned: UnsignedDeploy, key: DeployKey): Deploy {
  const hash = signingHash(key.algorithm, signedBytesOfDeploy(unsigned));
  const signature = signHash(key.algorithm, hash, key.privateKey);
  return { ...unsigned, deployer: key.publicKey, signature, algorithm: key.algorithm };
}
