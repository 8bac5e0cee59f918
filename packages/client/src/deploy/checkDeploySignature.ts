import { checkDeploySignature as checkSignatureOn, type Deploy, rnodeRust, rnodeScala } from "@vedette/protocol";
import type { NetworkDialect } from "../term/systemNames.js";

const dialects = { "rnode-scala": rnodeScala, "rnode-rust": rnodeRust } as const;

/**
 * Whether a deploy's signature is right.
 *
 * @param dialect of the network; unless given that of the newer node, which is the stricter one: what it takes is right
 * on every network
 * @spec 10 §1.2, 61 §1.1
 */
export function checkDeploySignature(deploy: Deploy, dialect: NetworkDialect = "rnode-rust"): boolean {
  return checkSignatureOn(deploy, dialects[dialect]);
}
