import type { DagView } from "../dag/DagView.js";

/**
 * Returns the lowest height from which on a node has all blocks of the final chain: 0 for one that began at genesis.
 *
 * A node that began at a state has the blocks just below it, and from further down the latest messages of validators
 * that fell silent. Of these it does not know whether they are final.
 *
 * @spec 40 §12.5
 * @cost a look for each block of the main chain that came with the state
 */
export function knownFrom(dag: Pick<DagView, "approvedBlock" | "find">): bigint {
  let lowest = dag.approvedBlock();
  for (let block = lowest; block !== undefined; ) {
    lowest = block;
    const [parent] = block.parents;
    block = parent === undefined ? undefined : dag.find(parent);
  }
  return lowest?.number ?? 0n;
}
