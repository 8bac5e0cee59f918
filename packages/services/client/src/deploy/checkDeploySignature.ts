import { checkDeploySignature as checkSignatureBy, type Deploy } from "@vedette/protocol";
import type { NetworkDialect } from "../term/systemNames.js";

/**
 * Whether a deploy's signature is right.
 *
 * @param dialect of the network; unless given that of f1r3node, which is the stricter one: what it takes is right
 * on every network
 * @spec 10 §1.2, 61 §1.1
 */
export function checkDeploySignature(deploy: Deploy, dialect: NetworkDialect = "f1r3node"): boolean {
  return checkSignatureBy(deploy, { signatureRules: dialect });
}
