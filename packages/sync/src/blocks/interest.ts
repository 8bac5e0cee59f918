import { approvedFactsOf, isOfInterest } from "@vedette/chain";
import type { Block } from "@vedette/protocol";

/**
 * Why a block cannot belong to this chain.
 *
 * @spec 40 §4.4 step 2
 * @param approved the block that the chain began with
 */
export function notOfInterest(block: Block, approved: Block): string | undefined {
  if (isOfInterest(block, approvedFactsOf(approved))) return undefined;
  if (block.header.version !== approved.header.version) {
    return `received block version ${block.header.version} is not the expected version ${approved.header.version}.`;
  }
  if (block.number < approved.number) return `it is below the approved block, #${approved.number}.`;
  return `it belongs to shard '${block.shardId.slice(0, 64)}'.`;
}
