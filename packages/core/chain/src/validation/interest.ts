import type { Block } from "@vedette/protocol";

/** The facts with which blocks are compared before anything else. */
export interface ApprovedFacts {
  readonly shardId: string;
  readonly version: bigint;
  readonly number: bigint;
}

/** The facts of the block that the chain was begun with. */
export function approvedFactsOf(approved: Block): ApprovedFacts {
  return { shardId: approved.shardId, version: approved.header.version, number: approved.number };
}

/**
 * Whether a block may belong to this chain: its shard in any case of letters, its version, and its height.
 *
 * @spec 40 §4.4 (step 2)
 */
export function isOfInterest(block: Block, approved: ApprovedFacts): boolean {
  return (
    // The creator of a block chooses how long this text is.
    block.shardId.length <= 4 * approved.shardId.length &&
    block.shardId.toLowerCase() === approved.shardId.toLowerCase() &&
    block.header.version === approved.version &&
    block.number >= approved.number
  );
}
