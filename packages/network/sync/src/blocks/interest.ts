import { approvedFactsOf, isOfInterest, unknownRulesText } from "@vedette/chain";
import type { Block } from "@vedette/protocol";

/** A chain has the ancestors of its blocks down to this depth below its first block. @spec 40 §3.8 */
const heightsBelow = 50n;

/**
 * Why a block cannot belong to this chain.
 *
 * A node that began at an imported state lacks the blocks beside the approved one that its creator did not know; what
 * comes later may refer to them, so that they count where another block waits for them.
 *
 * @spec 40 §4.4 step 2
 * @param approved the block that the chain began with
 */
export function notOfInterest(block: Block, approved: Block, isAwaited: boolean): string | undefined {
  const facts = approvedFactsOf(approved);
  const lowest = facts.number > heightsBelow ? facts.number - heightsBelow : 0n;
  const number = isAwaited ? lowest : facts.number;
  if (isOfInterest(block, { ...facts, number })) return undefined;
  if (block.header.version !== approved.header.version) {
    const newer = unknownRulesText(block);
    if (newer !== undefined) return newer;
    return `received block version ${block.header.version} is not the expected version ${approved.header.version}.`;
  }
  if (block.number < approved.number) return `it is below the approved block, #${approved.number}.`;
  return `it belongs to shard '${block.shardId.slice(0, 64)}'.`;
}
