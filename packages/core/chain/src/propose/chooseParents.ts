import { hashKey } from "@vedette/protocol";
import { type ParentLimits, unlimitedParents } from "../ChainRules.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView, LatestMessage } from "../dag/DagView.js";
import { estimateTips } from "../forkChoice/estimator.js";
import { type Chooser, heaviestTip } from "../forkChoice/heaviestTip.js";
import { isEntitled } from "../forkChoice/isEntitled.js";
import { abandonedBranchFilter } from "../revalidation/abandonedBranchFilter.js";
import type { EmitProposeEvent } from "./ProposeEvent.js";

/** How the parents of a block are chosen. */
export interface ParentSelection {
  readonly chooser: Chooser;
  readonly rules: ParentLimits;
  readonly emit: EmitProposeEvent;
}

/**
 * The fork choice of rnode networks: the parents of a new block, main parent first. That is the heaviest tip, then the estimator's other tips that agree with it
 * on the bonds.
 *
 * Ours (40 §9.2): rnode takes the latest messages in the order of the validators' keys. With one parent, all validators
 * then build on one validator's blocks and never on the others'. The estimator's first tip cannot be the main parent:
 * it compares tips, not the sides of a fork, and so can leave a final block.
 *
 * @param approved the block to build on when there is no other
 * @spec 40 §7.2, §9.2
 */
export function chooseParents(
  dag: DagView,
  approved: BlockMetadata,
  { chooser, rules: { maximumParents, maximumParentDepth }, emit }: ParentSelection,
): readonly BlockMetadata[] {
  const latest = dag.latestMessages();
  const invalid = latest.filter(({ hash }) => dag.isInvalid(hash)).length;
  const unlimited = { maximumParents: unlimitedParents, maximumParentDepth: undefined };
  const isGivenUp = abandonedBranchFilter(dag);
  const isOwn = ({ validator }: LatestMessage) => hashKey(validator) === chooser.validatorKey;
  const entitled = latest.filter(
    (message) => isEntitled(dag, message) && (isOwn(message) || !isGivenUp(dag.require(message.hash))),
  );
  const estimate = estimateTips(dag, approved, entitled, unlimited);
  const main = heaviestTip(dag, dag.require(estimate.commonAncestor), entitled, chooser);
  const others = estimate.tips
    .map((hash) => dag.require(hash))
    .filter((tip) => tip.key !== main.key && sameBonds(tip, main));
  const parents = [main, ...others.filter((tip) => isNear(tip, main, maximumParentDepth))].slice(0, maximumParents);
  emit({
    type: "parentsChosen",
    validators: latest.length,
    invalid,
    valid: latest.length - invalid,
    afterBondFilter: others.length + 1,
    parents: parents.length,
  });
  return parents;
}

/** As ordered lists. */
function sameBonds(left: BlockMetadata, right: BlockMetadata): boolean {
  if (left.bonds === right.bonds) return true;
  const others = right.bonds.bonds;
  return (
    left.bonds.bonds.length === others.length &&
    left.bonds.bonds.every(({ validator, stake }, index) => {
      const other = others[index]!;
      return stake === other.stake && hashKey(validator) === hashKey(other.validator);
    })
  );
}

function isNear(tip: BlockMetadata, main: BlockMetadata, depth: number | undefined): boolean {
  if (depth === undefined || depth === unlimitedParents) return true;
  const difference = tip.number - main.number;
  return (difference < 0n ? -difference : difference) <= BigInt(depth);
}
