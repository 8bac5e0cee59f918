import type { BlockSummary } from "../../data/BlockSummary.js";

/** A block's place in a drawing: the newest height is column 0, and every sender has a lane. */
export interface BlockInLane {
  readonly block: BlockSummary;
  readonly column: number;
  readonly lane: number;
}

/** Lanes that a drawing has at most; more senders share them. */
const maxLanes = 6;

/** Places the blocks of the newest heights. @param blocks the newest first */
export function layOut(blocks: readonly BlockSummary[], columns: number) {
  const head = blocks[0]?.number ?? 0;
  const near = blocks.filter(({ number }) => number > head - columns);
  const senders = [...new Set(near.map(({ sender }) => sender))].filter((sender) => sender !== "").sort();
  const lanes = Math.min(maxLanes, Math.max(1, senders.length));
  const placed = near.map((block): BlockInLane => {
    // Genesis has no sender and is placed in the middle.
    const lane = block.sender === "" ? Math.floor((lanes - 1) / 2) : senders.indexOf(block.sender) % lanes;
    return { block, column: head - block.number, lane };
  });
  const heights = [...new Set(near.map(({ number }) => number))].map((number) => ({ number, column: head - number }));
  // Lanes that several validators share have no owner.
  return { placed, lanes, heights, owners: senders.length <= lanes ? senders : [] };
}
