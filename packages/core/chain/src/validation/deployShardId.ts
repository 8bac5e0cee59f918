import type { Block } from "@vedette/protocol";
import type { InvalidStatus } from "./BlockStatus.js";

/** Check 4: all deploys belong to this shard. @spec 40 §5.3 */
export function checkDeployShardId(block: Block, expected: string): InvalidStatus | undefined {
  const allRight = block.body.deploys.every(({ deploy }) => deploy.shardId === expected);
  return allRight ? undefined : { status: "InvalidShardId", found: undefined, expected };
}
