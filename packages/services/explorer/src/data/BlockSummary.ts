import type { LightBlock, StreamEvent } from "@vedette/client";

/** The facts about a block that lists and drawings need. */
export interface BlockSummary {
  readonly hash: string;
  readonly number: number;
  readonly sender: string;
  readonly seqNum: number;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  readonly deployCount: number;
  readonly parents: readonly string[];
  /** Deploys of blocks before it that its merge left out. */
  readonly rejectedCount?: number;
}

export function briefOfBlock(block: LightBlock): BlockSummary {
  return {
    hash: block.blockHash,
    number: Number(block.blockNumber),
    sender: block.sender,
    seqNum: block.seqNum,
    timestamp: Number(block.timestamp),
    deployCount: block.deployCount,
    parents: block.parentsHashList,
    rejectedCount: block.rejectedDeploys.length,
  };
}

export function briefOfEvent(event: Extract<StreamEvent, { readonly kind: "blockAdded" }>): BlockSummary {
  const { blockHash: hash, blockNumber, sender, seqNum, timestamp, deployCount, parents, rejectedDeploys } = event;
  const [number, rejectedCount] = [Number(blockNumber), rejectedDeploys.length];
  return { hash, number, sender, seqNum, timestamp: Number(timestamp), deployCount, parents, rejectedCount };
}

/** Whether a block is final, may become so, or never will. */
export type Finality = "finalized" | "pending" | "forkedAway";

/**
 * Returns the final ones of some blocks: the last finalized one and all below it that it builds on.
 *
 * @param blocks in any order; a parent that is not among them ends the way
 */
export function finalizedAmong(blocks: readonly BlockSummary[], lastFinalized: string | undefined): Set<string> {
  const byHash = new Map(blocks.map((block) => [block.hash, block]));
  const found = new Set<string>();
  const left = lastFinalized === undefined ? [] : [lastFinalized];
  for (let hash = left.pop(); hash !== undefined; hash = left.pop()) {
    if (found.has(hash)) continue;
    found.add(hash);
    left.push(...(byHash.get(hash)?.parents ?? []));
  }
  return found;
}

/** Sorts by height, newest first; blocks of one height by hash, so that every page has the same order. */
export function newestFirst(one: BlockSummary, other: BlockSummary): number {
  return other.number - one.number || (one.hash < other.hash ? -1 : 1);
}

/** Milliseconds from one height to the next, over the blocks given; undefined where there are fewer than two heights. */
export function blockTimeOf(blocks: readonly BlockSummary[]): number | undefined {
  const earliest = new Map<number, number>();
  // Genesis has the time of its making, which may be long before the network ran.
  for (const { number, timestamp } of blocks)
    if (number > 0) earliest.set(number, Math.min(timestamp, earliest.get(number) ?? timestamp));
  const heights = [...earliest.keys()].sort((one, other) => one - other);
  const [first, last] = [heights[0], heights.at(-1)];
  if (first === undefined || last === undefined || first === last) return undefined;
  return Math.max(0, (earliest.get(last)! - earliest.get(first)!) / (last - first));
}
