import type { Block } from "@vedette/protocol";
import type { InvalidStatus } from "./BlockStatus.js";

/** Check 7: every deploy may be included already. @spec 40 §5.3 */
export function checkFutureDeploy(block: Block): InvalidStatus | undefined {
  for (const { deploy } of block.body.deploys) {
    if (deploy.validAfterBlockNumber >= block.number) return { status: "ContainsFutureDeploy", deploy };
  }
  return undefined;
}
