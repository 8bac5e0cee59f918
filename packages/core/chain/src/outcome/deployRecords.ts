import { compareBytes } from "@vedette/crypto";
import { hashKey } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import type { LineageSource } from "../finality/f1r3node/StateLineage.js";

/** The records that blocks contain about a deploy. */
export interface DeployRecords {
  /** The highest valid block that has it; of those the one with the highest hash. */
  readonly latest: BlockMetadata | undefined;
  /** The same of the blocks that have it or a record that it was given up. */
  readonly latestNamed: BlockMetadata | undefined;
  /** Records of valid blocks that their merges gave it up, those of duplicates included. */
  readonly rejections: number;
}

/** A record is at most a few heights above the block that it refers to: deeper ones cannot be merged any more. */
const recordHeights = 64n;

/**
 * Collects the facts that are reported of a deploy beside its final status.
 *
 * @param facts the lineage facts in the bodies of blocks
 * @spec 50 §1.14
 * @cost the blocks of some heights are read, unless they are cached
 */
export function deployRecords(signature: Uint8Array, dag: DagView, facts: LineageSource): DeployRecords {
  const blocks = dag.blocksOfDeploy(signature).flatMap((hash) => {
    const block = dag.find(hash);
    return block === undefined || block.invalid ? [] : [block];
  });
  const [latest] = blocks.toSorted(laterFirst);
  if (latest === undefined) return { latest, latestNamed: undefined, rejections: 0 };
  const lowest = blocks.reduce((least, { number }) => (number < least ? number : least), latest.number);
  const key = hashKey(signature);
  const recording: BlockMetadata[] = [];
  for (const { hash } of dag.blocksByHeight(lowest, latest.number + recordHeights))
    for (const record of facts.factsOf(hash).rejections)
      if (hashKey(record.signature) === key) recording.push(dag.require(hash));
  const [latestNamed] = [latest, ...recording].sort(laterFirst);
  return { latest, latestNamed, rejections: recording.length };
}

function laterFirst(left: BlockMetadata, right: BlockMetadata): number {
  if (left.number !== right.number) return left.number > right.number ? -1 : 1;
  return compareBytes(right.hash, left.hash);
}
