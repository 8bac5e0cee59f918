import type { Block } from "@vedette/protocol";
import { deployLifespan } from "../ChainRules.js";
import type { InvalidStatus } from "./BlockStatus.js";

/** Check 8: every deploy may still be included. @spec 40 §5.3 */
export function checkExpiredDeploy(block: Block): InvalidStatus | undefined {
  const earliest = block.number - deployLifespan;
  for (const { deploy } of block.body.deploys) {
    if (deploy.validAfterBlockNumber <= earliest) return { status: "ContainsExpiredDeploy", deploy };
  }
  return undefined;
}
