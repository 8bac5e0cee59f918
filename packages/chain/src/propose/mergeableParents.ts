import type { Justification } from "@vedette/protocol";
import type { Chain } from "../Chain.js";
import { isAncestorOrSelf } from "../dag/ancestors.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import { type MergeScope, mergeScopes } from "../merge/scope.js";

/** What is known of a merge before it is made. */
export interface MergeUse {
  readonly chain: Chain;
  readonly justifications: readonly Justification[];
  /** Blocks in an epoch. */
  readonly epochLength: bigint;
}

/**
 * The parents that can be merged without harm to the proof-of-stake contract, in their order; the first is always one.
 *
 * System deploys never conflict in a merge (40 §12.3). So where a block that changes the stakes by them, at the end
 * of an epoch or with a slash, is merged with a block beside it that changes them too, the contract's state is there
 * twice, and stays so. The reference takes that risk; a proposer that leaves such a parent out avoids it: its deploys
 * are not in scope then and come again.
 *
 * @throws {ChainError} `tooComplex`
 * @spec 40 §9.2, §12.3
 */
export function mergeableParents(parents: readonly BlockMetadata[], use: MergeUse): readonly BlockMetadata[] {
  const kept: BlockMetadata[] = [];
  for (const parent of parents) {
    if (kept.length === 0 || isHarmless([...kept, parent], use)) kept.push(parent);
  }
  return kept;
}

function isHarmless(parents: readonly BlockMetadata[], use: MergeUse): boolean {
  const { dag, rules } = use.chain;
  const creator = { justifications: use.justifications, threshold: rules.faultToleranceThreshold };
  for (const scope of mergeScopes(dag, parents, creator)) return !meetStakeChanges(scope, use);
  return true;
}

/** Whether a block that changes stakes by system deploys stands beside another one that may change them. */
function meetStakeChanges({ blocks }: MergeScope, { chain, epochLength }: MergeUse): boolean {
  const { dag } = chain;
  const merged = blocks.map((hash) => dag.require(hash));
  const changing = merged.filter((block) => changesStakes(block, chain, epochLength));
  const isBeside = (left: BlockMetadata, right: BlockMetadata) =>
    !isAncestorOrSelf(dag, left, right) && !isAncestorOrSelf(dag, right, left);
  return changing.some((one) => merged.some((other) => isBeside(one, other)));
}

function changesStakes({ hash, number }: BlockMetadata, { blocks }: Chain, epochLength: bigint): boolean {
  if (epochLength > 0n && number % epochLength === 0n) return true;
  const slashes = blocks.find(hash)?.body.systemDeploys ?? [];
  return slashes.some(({ systemDeploy }) => systemDeploy.kind === "slash");
}
