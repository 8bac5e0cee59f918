import type { Block } from "@vedette/protocol";
import { deployLifespan } from "../ChainRules.js";
import type { InvalidStatus } from "./BlockStatus.js";

/**
 * Check 8: no deploy has expired. A deploy may be in blocks from `validAfterBlockNumber` + 1 to + 49. On f1r3node networks
 * `checkExpiredAtFloor` counts from the floor instead.
 *
 * @spec 40 §5.3
 */
export function checkExpiredDeploy(block: Block): InvalidStatus | undefined {
  const lastExpired = block.number - deployLifespan;
  for (const { deploy } of block.body.deploys) {
    if (deploy.validAfterBlockNumber <= lastExpired) return { status: "ContainsExpiredDeploy", deploy };
  }
  return undefined;
}
