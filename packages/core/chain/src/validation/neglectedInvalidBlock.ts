import { type Block, hashKey } from "@vedette/protocol";
import { BondSet } from "../dag/BondSet.js";
import type { DagView } from "../dag/DagView.js";
import type { InvalidStatus } from "./BlockStatus.js";

/** Check 15: the creator of an invalid latest message has no stake after the block. @spec 40 §5.6 */
export function checkNeglectedInvalidBlock(block: Block, dag: DagView): InvalidStatus | undefined {
  const stakes = new BondSet(block.body.state.bonds).stakes;
  for (const { validator, latestBlockHash } of block.justifications) {
    if (!dag.isInvalid(latestBlockHash)) continue;
    const stake = stakes.get(hashKey(validator)) ?? 0n;
    if (stake > 0n) return { status: "NeglectedInvalidBlock", invalidBlock: latestBlockHash };
  }
  return undefined;
}
