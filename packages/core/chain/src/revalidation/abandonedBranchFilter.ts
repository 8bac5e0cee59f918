import { hashKey } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";

/** Blocks that are looked at for one answer. */
const maxExamined = 4_096;

/**
 * Which valid blocks most of the stake holds for invalid, as far as this node's own revised verdicts show. A node that
 * revises its verdict on one side of an equivocation still holds the side that it received first for valid, and also
 * the blocks on it. Nodes that received only the other side hold all of these for invalid.
 *
 * @returns whether a block is such a side, or accepts one: names it, or a block that does, as a parent, or justifies it
 * and leaves its creator the stake
 * @spec 40 §17.4, §17.5
 * @cost the blocks that are not final above the lowest such side, where there is one; else nothing
 */
export function abandonedBranchFilter(dag: DagView): (block: BlockMetadata) => boolean {
  const sides = sidesGivenUp(dag);
  if (sides.size === 0) return () => false;
  let lowest: bigint | undefined;
  for (const { number } of sides.values()) if (lowest === undefined || number < lowest) lowest = number;
  return (block) => reaches(block, { sides, lowest: lowest!, dag });
}

function sidesGivenUp(dag: DagView): ReadonlyMap<string, BlockMetadata> {
  const found = new Map<string, BlockMetadata>();
  const revised = dag.revisedBlocks();
  const followed = new Set(revised.map(hashKey));
  for (const hash of revised) {
    const block = dag.find(hash);
    if (block?.selfJustification === undefined) continue;
    for (const other of dag.ownBlocksAfter(block.sender, block.selfJustification)) {
      const side = followed.has(hashKey(other)) ? undefined : dag.find(other);
      // A final block was never given up.
      if (side !== undefined && !side.invalid && !side.finalized) found.set(side.key, side);
    }
  }
  return found;
}

function reaches(
  from: BlockMetadata,
  {
    sides,
    lowest,
    dag,
  }: { readonly sides: ReadonlyMap<string, BlockMetadata>; readonly lowest: bigint; readonly dag: DagView },
): boolean {
  const seen = new Set([from.key]);
  const waiting = [from];
  for (let block = waiting.pop(); block !== undefined && seen.size < maxExamined; block = waiting.pop()) {
    if (sides.has(block.key)) return true;
    if (block.finalized || block.number < lowest) continue;
    for (const hash of acceptedBy(block)) {
      const below = dag.find(hash);
      if (below === undefined || seen.has(below.key)) continue;
      seen.add(below.key);
      waiting.push(below);
    }
  }
  return false;
}

function* acceptedBy({ parents, justifications, bonds }: BlockMetadata): Generator<Uint8Array> {
  yield* parents;
  for (const { validator, latestBlockHash } of justifications)
    if ((bonds.stakes.get(hashKey(validator)) ?? 0n) > 0n) yield latestBlockHash;
}
