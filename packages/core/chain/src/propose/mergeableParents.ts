import { hashKey, type Justification } from "@vedette/protocol";
import type { Chain } from "../Chain.js";
import { AncestorWalk } from "../dag/AncestorWalk.js";
import { isAncestorOrSelf } from "../dag/ancestors.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import { type MergeScope, mergeScopes } from "../merge/scope.js";

const maxAboveGate = 100;
const maxHeights = 30n;

/** The inputs of a merge before it is made. */
export interface MergeOptions {
  readonly chain: Chain;
  readonly justifications: readonly Justification[];
  /** Blocks in an epoch. */
  readonly epochLength: bigint;
}

/**
 * Returns the parents that can be merged without harm, in their order; the first is always one. The deploys of a parent
 * that is left out are not in scope and come again.
 *
 * rnode takes three risks that a proposer can avoid. First, system deploys never conflict in a merge (40 §12.3). If two
 * merged blocks both change the stakes, at the end of an epoch or with a slash, the state of the proof-of-stake
 * contract is there twice, and stays so. Second, nothing compares the merged blocks with those below the base: a deploy
 * there and in a merged block takes effect twice. Third, a base beside the last final block leaves out that block's
 * effects.
 *
 * By evidence the main parent's state stays as it is, and the merged blocks are compared with all blocks beside it.
 *
 * @throws {ChainError} `tooComplex`; `blockMissing`
 * @spec 40 §9.2, §12.3, §16.7
 */
export function mergeableParents(parents: readonly BlockMetadata[], use: MergeOptions): readonly BlockMetadata[] {
  const kept: BlockMetadata[] = [];
  for (const parent of parents) {
    if (kept.length === 0 || isHarmless([...kept, parent], use)) kept.push(parent);
  }
  return kept;
}

function isHarmless(parents: readonly BlockMetadata[], use: MergeOptions): boolean {
  const { dag, rules } = use.chain;
  const creator = { justifications: use.justifications, threshold: rules.faultToleranceThreshold };
  for (const scope of mergeScopes(dag, parents, creator))
    return (
      (dag.judgesByEvidence
        ? !isFarAboveGate(parents[0]!, scope, dag)
        : !repeatDeploys(scope, use.chain) && !leavesOut(parents, scope, dag)) && !meetStakeChanges(scope, use)
    );
  return true;
}

/** Whether a block that changes stakes by system deploys is beside another one that may change them. */
function meetStakeChanges({ blocks, beside = [] }: MergeScope, { chain, epochLength }: MergeOptions): boolean {
  const { dag } = chain;
  const merged = [...blocks, ...beside].map((hash) => dag.require(hash));
  const changing = merged.filter((block) => changesStakes(block, chain, epochLength));
  const isBeside = (left: BlockMetadata, right: BlockMetadata) =>
    !isAncestorOrSelf(dag, left, right) && !isAncestorOrSelf(dag, right, left);
  return changing.some((one) => merged.some((other) => isBeside(one, other)));
}

/** Whether a merged block has a deploy that the base or its past has. */
function repeatDeploys({ base, blocks }: MergeScope, chain: Chain): boolean {
  const { dag } = chain;
  const merged = new Set(blocks.map(hashKey));
  const from = dag.require(base);
  const isBelow = (hash: Uint8Array) => !merged.has(hashKey(hash)) && isAncestorOrSelf(dag, dag.require(hash), from);
  return blocks.some((hash) =>
    (chain.blocks.find(hash)?.body.deploys ?? []).some(({ deploy }) =>
      dag.blocksOfDeploy(deploy.signature).some(isBelow),
    ),
  );
}

/** A merge costs the blocks above the gate. A node that joined by state has only a deploy's life span of blocks. */
function isFarAboveGate(main: BlockMetadata, { blocks, beside = [] }: MergeScope, dag: DagView): boolean {
  if (blocks.length + beside.length > maxAboveGate) return true;
  // The lowest block of either side is directly upon the gate, or higher.
  return [blocks[0], beside[0]].some(
    (hash) => hash !== undefined && main.number - dag.require(hash).number >= maxHeights,
  );
}

/** Whether the parents build on a block that is neither merged nor below the base. */
function leavesOut(parents: readonly BlockMetadata[], { base, blocks }: MergeScope, dag: DagView): boolean {
  const merged = new Set(blocks.map(hashKey));
  const below = new AncestorWalk(dag, dag.require(base));
  const seen = new Set<string>();
  const open = [...parents];
  for (let block = open.pop(); block !== undefined; block = open.pop()) {
    if (seen.has(block.key) || below.includes(block)) continue;
    if (!merged.has(block.key)) return true;
    seen.add(block.key);
    open.push(...block.parents.flatMap((hash) => dag.find(hash) ?? []));
  }
  return false;
}

function changesStakes({ hash, number }: BlockMetadata, { blocks }: Chain, epochLength: bigint): boolean {
  if (epochLength > 0n && number % epochLength === 0n) return true;
  const slashes = blocks.find(hash)?.body.systemDeploys ?? [];
  return slashes.some(({ systemDeploy }) => systemDeploy.kind === "slash");
}
