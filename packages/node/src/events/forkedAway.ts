import type { BlockMetadata, DagView } from "@vedette/chain";
import { hashKey } from "@vedette/protocol";
import type { WritableTables } from "@vedette/store";
import { undecidedBlock, undecidedKey } from "./logKeys.js";

/** What is needed to tell which blocks will never be final. */
export interface BlockDecisions {
  /** As it was before the change. */
  readonly dag: DagView;
  readonly hasOneParent: boolean;
}

/** Notes a valid block of which nothing is decided yet. */
export function putUndecided(tables: WritableTables, block: BlockMetadata): void {
  tables("undecidedBlocks").put(undecidedKey(block.number, block.hash), new Uint8Array(0));
}

/**
 * Decides about blocks when some became final: those take leave, and those that cannot become final any more are told.
 *
 * With one parent that is every other block that is not higher than the last finalized one. With several, a block
 * beside may still be taken as a parent as long as it is, or lies below, a validator's latest block.
 *
 * @param finalized ascending
 * @returns hashes of the blocks that are forked away, ascending by height
 * @spec 40 §6.4, §7
 */
export function decideBlocks(
  tables: WritableTables,
  finalized: readonly BlockMetadata[],
  { dag, hasOneParent }: BlockDecisions,
): Uint8Array[] {
  const undecided = tables("undecidedBlocks");
  for (const block of finalized) undecided.delete(undecidedKey(block.number, block.hash));
  const last = finalized.at(-1);
  if (last === undefined) return [];
  const candidates = [...undecided.range({ to: undecidedKey(last.number + 1n, new Uint8Array(0)) })];
  if (candidates.length === 0) return [];
  const isAlive = hasOneParent ? () => false : withinReach(dag, undecidedBlock(candidates[0]![0]).height, finalized);
  const forkedAway: Uint8Array[] = [];
  for (const [key] of candidates) {
    const { hash } = undecidedBlock(key);
    if (isAlive(hash)) continue;
    undecided.delete(key);
    forkedAway.push(hash);
  }
  return forkedAway;
}

/** Whether a block is the latest of a validator or an ancestor of one, among those that are not final. */
function withinReach(dag: DagView, lowest: bigint, finalized: readonly BlockMetadata[]): (hash: Uint8Array) => boolean {
  const seen = new Set(finalized.map(({ key }) => key));
  const settled = new Set(seen);
  const waiting = dag.latestMessages().map(({ hash }) => hash);
  for (let hash = waiting.pop(); hash !== undefined; hash = waiting.pop()) {
    const key = hashKey(hash);
    if (seen.has(key)) continue;
    seen.add(key);
    const block = dag.find(hash);
    if (block === undefined || block.finalized || block.number < lowest) continue;
    for (const parent of block.parents) waiting.push(parent);
  }
  return (hash) => seen.has(hashKey(hash)) && !settled.has(hashKey(hash));
}
