import type { Block } from "@vedette/protocol";
import type { InvalidStatus } from "./BlockStatus.js";

/** Check 3: the block belongs to this shard; letters' case counts. @spec 40 §5.3 */
export function checkShardId(block: Block, expected: string): InvalidStatus | undefined {
  return block.shardId === expected ? undefined : { status: "InvalidShardId", found: block.shardId, expected };
}
