import { type Block, type Deploy, hashKey, rnode } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import { ChainError } from "../ChainError.js";
import { deployLifespan, type ParentLimits, unlimitedParents } from "../ChainRules.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import { BlockLineage } from "../finality/f1r3node/blockLineage.js";
import { type LineageSource, StateLineage } from "../finality/f1r3node/StateLineage.js";
import { knownFrom } from "./knownFrom.js";
import { findRejection } from "./rejectedDeploys.js";
import { takesEffect } from "./takesEffect.js";
import { undecidedKey } from "./undecidedBlocks.js";

/**
 * The final outcome of a deploy, by the last final state: its effect is there; it failed, or it never came in, and no
 * block can bring it any more.
 */
export type FinalDeployStatus = "finalized" | "failed" | "expired";

/** As much of a deploy as a final status needs. */
export type JudgedDeploy = Pick<Deploy, "signature" | "validAfterBlockNumber">;

/**
 * Finds the final status of a deploy by the last final state; networks of the two kinds of nodes differ in it.
 *
 * @returns `undefined`: nothing is decided yet
 * @spec 40 §12.5, 61 §13.8
 */
export type FindFinalStatus = (deploy: JudgedDeploy) => FinalDeployStatus | undefined;

/** The sources of the final status of deploys. */
export interface FinalStatusSources {
  readonly dag: DagView;
  /** Has the tables of the chain environment. */
  readonly store: Store;
  readonly rules: ParentLimits;
}

/** The state's line is followed down at most this many heights; below that, the notes made at finalization are read. */
const maxFollowed = 200n;

/** The rule of f1r3node. @param facts the lineage facts in the bodies of blocks @spec 61 §13.8 */
export function f1r3nodeFinalStatus(sources: FinalStatusSources, facts: LineageSource): FindFinalStatus {
  const { dag, rules } = sources;
  const lineage = new StateLineage(dag, facts);
  const depth = depthOf(rules);
  const isInState = (last: BlockMetadata, { signature, validAfterBlockNumber }: JudgedDeploy, blocks: Inclusions) =>
    last.number - validAfterBlockNumber > maxFollowed
      ? hasFinalCopy(blocks, signature, sources)
      : lineage.holdsEffect(last, hashKey(signature), validAfterBlockNumber);
  return finalStatusBy(dag, facts, (last, deploy, blocks) => {
    if (isInState(last, deploy, blocks)) return "finalized";
    if (depth === undefined || mayLieBelow(deploy, dag)) return undefined;
    return isOver(last, deploy, blocks, depth) ? endOf(blocks) : undefined;
  });
}

/** A block so far below the last final one is final itself, or never will be. @spec 50 §1.7 */
const settledDepth = 100n;

/** The rule on rnode networks, which has none itself. @spec 40 §12.5 */
export function rnodeFinalStatus(
  sources: FinalStatusSources,
  bodies: { find(hash: Uint8Array): Block | undefined },
): FindFinalStatus {
  const { dag, store, rules } = sources;
  const facts = new BlockLineage(bodies, undefined, (processed) => takesEffect(processed, rnode.blockForm));
  const hasOneParent = rules.maximumParents === 1;
  const depth = hasOneParent ? 0n : (depthOf(rules) ?? settledDepth);
  const isUndecided = ({ block }: Inclusion) =>
    !block.finalized && store.table("undecidedBlocks").has(undecidedKey(block.number, block.hash));
  return finalStatusBy(dag, facts, (last, deploy, blocks) => {
    if (hasFinalCopy(blocks, deploy.signature, sources)) return "finalized";
    // With one parent, each block that can still become final builds on the one in which it failed.
    if (hasOneParent && hasFailed(blocks)) return "failed";
    if (mayLieBelow(deploy, dag) || blocks.some(isUndecided)) return undefined;
    return isOver(last, deploy, blocks, depth) ? endOf(blocks) : undefined;
  });
}

/** Decides nothing where a line leads below the blocks of the DAG. */
function finalStatusBy(
  dag: DagView,
  facts: LineageSource,
  rule: (last: BlockMetadata, deploy: JudgedDeploy, blocks: Inclusions) => FinalDeployStatus | undefined,
): FindFinalStatus {
  return (deploy) => {
    const last = dag.lastFinalized();
    if (last === undefined) return undefined;
    try {
      return rule(last, deploy, inclusionsOf(deploy, dag, facts));
    } catch (error) {
      if (error instanceof ChainError) return undefined;
      throw error;
    }
  };
}

interface Inclusion {
  readonly block: BlockMetadata;
  readonly hasEffect: boolean;
}

type Inclusions = readonly Inclusion[];

/** The valid blocks that have a deploy. */
function inclusionsOf({ signature }: JudgedDeploy, dag: DagView, facts: LineageSource): Inclusions {
  const key = hashKey(signature);
  return dag.blocksOfDeploy(signature).flatMap((hash) => {
    const block = dag.find(hash);
    return block === undefined || block.invalid ? [] : [{ block, hasEffect: facts.factsOf(hash).introduced.has(key) }];
  });
}

function hasFinalCopy(blocks: Inclusions, signature: Uint8Array, { store }: FinalStatusSources): boolean {
  return blocks.some(
    ({ block, hasEffect }) => hasEffect && block.finalized && findRejection(store, block.hash, signature) === undefined,
  );
}

/** Whether a block may have the deploy that this node does not know, or of which it does not know whether it is final. */
function mayLieBelow({ validAfterBlockNumber }: JudgedDeploy, dag: DagView): boolean {
  return validAfterBlockNumber + 1n < knownFrom(dag);
}

/** Whether no block can bring the deploy into the final state any more. */
function isOver(last: BlockMetadata, deploy: JudgedDeploy, blocks: Inclusions, depth: bigint): boolean {
  const windowEnd = deploy.validAfterBlockNumber + deployLifespan;
  const end = blocks.reduce((highest, { block: { number } }) => (number > highest ? number : highest), windowEnd);
  return last.number > end + depth;
}

function endOf(blocks: Inclusions): "failed" | "expired" {
  return hasFailed(blocks) ? "failed" : "expired";
}

function hasFailed(blocks: Inclusions): boolean {
  return blocks.some(({ block, hasEffect }) => block.finalized && !hasEffect);
}

/** @returns `undefined` where it is unlimited */
function depthOf({ maximumParentDepth }: FinalStatusSources["rules"]): bigint | undefined {
  return maximumParentDepth === undefined || maximumParentDepth === unlimitedParents
    ? undefined
    : BigInt(maximumParentDepth);
}
