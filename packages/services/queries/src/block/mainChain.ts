import type { BlockMetadata, DagView } from "@vedette/chain";

/**
 * The highest of the validators' latest blocks that are not invalid; the approved block when there is none.
 *
 * rnode begins `showMainChain` at any of them; here it is the highest there too.
 *
 * @returns `undefined` before the chain has begun
 * @spec 50 §1.9 (data-at-name), §3.4
 */
export function tipOf(dag: DagView): BlockMetadata | undefined {
  let tip: BlockMetadata | undefined;
  for (const { hash } of dag.latestMessages()) {
    if (dag.isInvalid(hash)) continue;
    const metadata = dag.require(hash);
    if (tip === undefined || metadata.number > tip.number) tip = metadata;
  }
  return tip ?? dag.approvedBlock();
}

/**
 * A block and its main parents, as many as the depth allows: each costs the difference of heights to the next one.
 *
 * @spec 50 §1.9 (data-at-name)
 */
export function mainChain(dag: DagView, from: BlockMetadata, depth: number): BlockMetadata[] {
  const found: BlockMetadata[] = [];
  let left = BigInt(depth);
  let next: BlockMetadata | undefined = from;
  while (next !== undefined) {
    found.push(next);
    const parent: BlockMetadata | undefined = next.mainParent === undefined ? undefined : dag.find(next.mainParent);
    left -= parent === undefined ? 0n : next.number - parent.number;
    next = left > 0n ? parent : undefined;
  }
  return found;
}
