import { type Block, hashKey } from "@vedette/protocol";
import { type ParentLimits, unlimitedParents } from "../../ChainRules.js";
import { AncestorWalk } from "../../dag/AncestorWalk.js";
import type { BlockMetadata } from "../../dag/BlockMetadata.js";
import type { DagView } from "../../dag/DagView.js";
import type { BlockStatus, InvalidStatus } from "../BlockStatus.js";
import { checkJustificationFollows } from "../justificationFollows.js";

/** There is one justification for each validator of the main parent's bonds, and none twice. @spec 61 §14.2 */
export function checkFollowsOnce(block: Block, mainParent: BlockMetadata): BlockStatus | undefined {
  const justified = new Set(block.justifications.map(({ validator }) => hashKey(validator)));
  if (justified.size === block.justifications.length) return checkJustificationFollows(block, mainParent);
  return {
    status: "InvalidFollows",
    justified: block.justifications.map(({ validator }) => validator),
    bonded: mainParent.bonds.bonds.map(({ validator }) => validator),
  };
}

/**
 * Not too many parents, none far below another, and something new for a block in which nothing happens.
 *
 * Quirk 61 §14.2: a block without deploys that closes passes, whatever it builds on.
 *
 * @spec 61 §14.2 (parents)
 * @throws {ChainError} `blockMissing`, `tooComplex`
 */
export function checkParentsAndDepth(
  block: Block,
  parents: readonly BlockMetadata[],
  dag: DagView,
  { maximumParents, maximumParentDepth }: ParentLimits,
): InvalidStatus | undefined {
  if (maximumParents !== unlimitedParents && maximumParents !== -1 && parents.length > maximumParents)
    return { status: "InvalidParents", problem: "tooMany", count: parents.length, limit: maximumParents };
  const low = maximumParentDepth === undefined ? undefined : tooLow(parents, BigInt(maximumParentDepth));
  if (low !== undefined) return { status: "InvalidParents", problem: "tooDeep", parent: low.hash };
  if (makesProgress(block)) return undefined;
  const latest = dag.latestMessage(hashKey(block.sender));
  const previous = latest === undefined ? undefined : dag.require(latest);
  if (previous === undefined || previous.parents.length === 0) return undefined;
  const past = new AncestorWalk(dag, previous);
  if (!parents.every((parent) => past.includes(parent))) return undefined;
  return { status: "InvalidParents", problem: "noProgress", parents: block.parents, previous: previous.hash };
}

function tooLow(parents: readonly BlockMetadata[], depth: bigint): BlockMetadata | undefined {
  const highest = parents.reduce((most, { number }) => (number > most ? number : most), 0n);
  return parents.find((parent) => parent.parents.length > 0 && highest - parent.number > depth);
}

function makesProgress({ body: { deploys, systemDeploys } }: Block): boolean {
  if (deploys.length > 0) return true;
  const kinds = systemDeploys.map(({ systemDeploy }) => systemDeploy.kind);
  return kinds.includes("slash") || (kinds.length === 1 && kinds[0] === "closeBlock");
}
