import type { Block } from "@vedette/protocol";
import { deployLifespan } from "../ChainRules.js";
import type { InvalidStatus } from "./BlockStatus.js";

/**
 * Check 8: no deploy has expired. A deploy may be in blocks from `validAfterBlockNumber` + 1 to + 49.
 *
 * @spec 40 §5.3
 */
export function checkExpiredDeploy(block: Block): InvalidStatus | undefined {
  const earliest = block.number - deployLifespan;
  for (const { deploy } of block.body.deploys) {
    if (deploy.validAfterBlockNumber <= earliest) return { status: "ContainsExpiredDeploy", deploy };
  }
  return undefined;
}
