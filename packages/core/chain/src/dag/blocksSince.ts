import type { DagView } from "./DagView.js";

/**
 * The height from which on the DAG has the chain's blocks: 0 for one that has them from genesis on. What was begun with
 * the state of a later block has some heights below that one, and possibly genesis, and nothing between.
 *
 * @cost looks at some heights, as many as the number of the block that the chain began with has binary digits
 */
export function blocksSince(dag: Pick<DagView, "approvedBlock" | "blocksByHeight">): bigint {
  const first = dag.approvedBlock();
  if (first === undefined || first.number <= 0n) return 0n;
  const has = (height: bigint) => {
    for (const _ of dag.blocksByHeight(height, height, 1)) return true;
    return false;
  };
  let [absent, there] = [0n, first.number];
  while (absent + 1n < there) {
    const height = (absent + there) / 2n;
    if (has(height)) there = height;
    else absent = height;
  }
  return there === 1n && has(0n) ? 0n : there;
}
