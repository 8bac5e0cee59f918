import { emptyBytes } from "@vedette/crypto";
import { hashKey } from "@vedette/protocol";
import type { WritableTables } from "@vedette/store";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import { undecidedBlock, undecidedKey } from "./undecidedBlocks.js";

/** The inputs that decide which blocks will never be final. */
export interface ForkFacts {
  /** As it was before the change. */
  readonly dag: DagView;
  readonly hasOneParent: boolean;
}

/** Notes a valid block of which nothing is decided yet. */
export function putUndecided(tables: WritableTables, block: BlockMetadata): void {
  tables("undecidedBlocks").put(undecidedKey(block.number, block.hash), emptyBytes);
}

/**
 * A validator with a latest block this far below the last finalized one is treated as gone: its knowledge keeps no
 * block undecided.
 */
export const silentHeights = 1_000n;

/**
 * Decides about blocks when some became final: removes these, and returns those that cannot become final any more.
 *
 * With one parent that is every other block that is not higher than the last finalized one. With several, a block
 * beside may still be taken as a parent: a validator makes its next block with what it knows, which is for each other
 * one a block between the one that its own latest block justifies and the newest. Only what none of these is, and what
 * lies below none of them, is lost.
 *
 * @param finalized ascending
 * @returns hashes of the blocks that are forked away, ascending by height
 * @spec 40 §6.4, 50 §4.1
 * @cost with several parents: the undecided blocks and what is not final below them; validators × their senders
 */
export function decideBlocks(
  tables: WritableTables,
  finalized: readonly BlockMetadata[],
  { dag, hasOneParent }: ForkFacts,
): Uint8Array[] {
  const undecided = tables("undecidedBlocks");
  for (const block of finalized) undecided.delete(undecidedKey(block.number, block.hash));
  const last = finalized.at(-1);
  if (last === undefined) return [];
  const candidates = [...undecided.range({ to: undecidedKey(last.number + 1n, emptyBytes) })];
  if (candidates.length === 0) return [];
  const isAlive = hasOneParent ? () => false : withinReach(tables, finalized, dag);
  const forkedAway: Uint8Array[] = [];
  for (const [key] of candidates) {
    const { hash } = undecidedBlock(key);
    if (isAlive(hash)) continue;
    undecided.delete(key);
    forkedAway.push(hash);
  }
  return forkedAway;
}

/** Whether a block may still be taken as a parent, or lies below one that may. */
function withinReach(
  tables: WritableTables,
  finalized: readonly BlockMetadata[],
  dag: DagView,
): (hash: Uint8Array) => boolean {
  const undecided = [...tables("undecidedBlocks").range()].map(([key]) => undecidedBlock(key));
  const lowest = undecided[0]!.height;
  const seen = new Set(finalized.map(({ key }) => key));
  const settled = new Set(seen);
  const waiting = parentsToBe(undecided, finalized.at(-1)!, dag);
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

/**
 * Returns the blocks, of those that are not final, that some validator may take as a parent; it may include some that
 * are final.
 */
function parentsToBe(
  undecided: readonly { readonly hash: Uint8Array }[],
  last: BlockMetadata,
  dag: DagView,
): Uint8Array[] {
  const views = viewsOf(last, dag);
  const found = dag.latestMessages().map(({ hash }) => hash);
  // The latest message of a validator without blocks is a block of another one.
  for (const { senderKey, justifications } of views)
    for (const { validator, latestBlockHash } of justifications)
      if (hashKey(validator) !== senderKey) found.push(latestBlockHash);
  const oldest = new Map<string, number>();
  for (const { hash } of undecided) {
    const { senderKey, sequenceNumber } = dag.require(hash);
    let known = oldest.get(senderKey);
    if (known === undefined) {
      known = Math.min(...views.map((view) => oldestKnown(senderKey, view, dag)));
      oldest.set(senderKey, known);
    }
    if (sequenceNumber >= known) found.push(hash);
  }
  return found;
}

/** The blocks that show what validators knew at least when they made their latest ones. */
function viewsOf(last: BlockMetadata, dag: DagView): BlockMetadata[] {
  const views = new Map<string, BlockMetadata>();
  for (const { validator, hash } of dag.latestMessages()) {
    const key = hashKey(validator);
    // The other side of an equivocator may know less than its latest message.
    for (const one of [hash, ...dag.proofAgainst(key)]) {
      const view = dag.find(one);
      if (view === undefined || view.number + silentHeights < last.number) continue;
      // Blocks made without stake are never parents.
      const hasStake = (last.bonds.stakes.get(key) ?? 0n) > 0n;
      if (hasStake || view.number > last.number) views.set(view.key, view);
    }
  }
  return [...views.values()];
}

/** The sequence number of the oldest own block of a validator that the maker of a block may take for its latest. */
function oldestKnown(senderKey: string, view: BlockMetadata, dag: DagView): number {
  if (view.senderKey === senderKey) return view.sequenceNumber;
  const hash = view.justificationOf(senderKey);
  const known = hash === undefined ? undefined : dag.find(hash);
  return known?.senderKey === senderKey ? known.sequenceNumber : 0;
}
