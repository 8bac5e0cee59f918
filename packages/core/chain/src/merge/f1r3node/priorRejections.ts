import { toHex } from "@vedette/crypto";
import { deployLifespan } from "../../ChainRules.js";
import type { BlockMetadata } from "../../dag/BlockMetadata.js";
import type { DagView } from "../../dag/DagView.js";
import type { LineageSource } from "../../finality/f1r3node/StateLineage.js";
import type { MergedScope } from "./mergePlan.js";

/** Counts the earlier rejections of deploys, by hex of the signature of the deploy. */
export type CountPriorRejections = (
  sources: { readonly dag: DagView; readonly facts: LineageSource },
  plan: MergedScope,
) => ReadonlyMap<string, number>;

const nothing: ReadonlyMap<string, number> = new Map();

/** Nothing counts that was given up before. @spec 61 §12.6 */
export const ignorePriorRejections: CountPriorRejections = () => nothing;

/**
 * The records that are no duplicates, in each block that the merge can see: its scope, the base's own blocks since the
 * parents parted, and the base's main chain as far down as deploys of the floor's time reach.
 *
 * @throws {ChainError} `blockMissing`: a block that is not here must not count as one without records
 * @spec 61 §24.1
 */
export const recordedRejections: CountPriorRejections = ({ dag, facts }, { visible, lineage, anchor, floor }) => {
  const blocks = new Map([...visible, ...lineage].map((block) => [block.key, block]));
  const lowest = floor.number - deployLifespan;
  let at: BlockMetadata | undefined = anchor;
  while (at !== undefined && at.number >= lowest) {
    blocks.set(at.key, at);
    at = at.mainParent === undefined ? undefined : dag.require(at.mainParent);
  }
  const counts = new Map<string, number>();
  for (const { hash } of blocks.values())
    for (const { signature, duplicate } of facts.factsOf(hash).rejections) {
      if (duplicate === true) continue;
      const key = toHex(signature);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  return counts;
};
