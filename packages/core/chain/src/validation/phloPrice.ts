import type { Block } from "@vedette/protocol";
import type { InvalidStatus } from "./BlockStatus.js";

/**
 * Check 17: every deploy pays the minimum price.
 *
 * Quirk 40 §5.7: rnode means to warn only, but drops the block.
 *
 * @spec 40 §5.7
 */
export function checkPhloPrice(block: Block, minimum: bigint): InvalidStatus | undefined {
  for (const { deploy } of block.body.deploys) {
    if (deploy.phloPrice < minimum) return { status: "LowDeployCost", deploy, minimum };
  }
  return undefined;
}
