import { hashKey, type RejectedDeploy } from "@vedette/protocol";
import { ChainError } from "../../ChainError.js";
import { deployLifespan } from "../../ChainRules.js";
import type { BlockMetadata } from "../../dag/BlockMetadata.js";
import type { DagView } from "../../dag/DagView.js";
import type { FloorFacts } from "../../finality/f1r3node/Floors.js";
import type { LineageSource, StateLineage } from "../../finality/f1r3node/StateLineage.js";
import type { F1r3nodeRuleSet } from "../../ruleSets/F1r3nodeRuleSet.js";
import type { F1r3nodeBlockExecution, F1r3nodeMerge } from "../../validation/f1r3node/F1r3nodeBlockExecution.js";
import type { FloorPreState } from "./FloorPreState.js";
import { type MergedScope, planMerge } from "./mergePlan.js";
import type { PreStates } from "./PreStates.js";

/** The sources of a merge of parents. */
export interface MergeSources {
  readonly dag: DagView;
  readonly lineage: StateLineage;
  readonly facts: LineageSource;
  readonly execution: Pick<F1r3nodeBlockExecution, "merge">;
  readonly ruleSet: Pick<F1r3nodeRuleSet, "countPriorRejections">;
  /** Whether only states that are here count, and none is fetched. */
  readonly isLocal?: boolean;
  /** Remembers what was merged; left out: everything is merged anew. */
  readonly preStates?: PreStates | undefined;
}

/**
 * Computes the state that the parents of a block leave together.
 *
 * @param parents at least one
 * @spec 61 §12
 * @throws {ChainError} `settledRejected`, and as `planMerge`; what the execution throws
 */
export async function floorPreState(
  sources: MergeSources,
  parents: readonly BlockMetadata[],
  { floor, settled }: FloorFacts,
): Promise<FloorPreState> {
  const { dag, lineage, preStates } = sources;
  const plan = planMerge(dag, lineage, parents, floor);
  if (plan.kind === "parent") {
    const { postStateHash, hash } = plan.parent;
    return {
      stateHash: postStateHash,
      records: [],
      applied: [],
      unslashed: [],
      mergeBase: plan.isNamed ? hash : undefined,
    };
  }
  const merge = async (): Promise<FloorPreState> => {
    const state = await sources.execution.merge(mergeOf(sources, plan));
    requireSettled(lineage, settled, state.records);
    return { ...state, mergeBase: plan.anchor.hash };
  };
  return preStates === undefined ? merge() : preStates.of(parents, floor, merge);
}

function mergeOf(sources: MergeSources, plan: MergedScope): F1r3nodeMerge {
  const { lineage, facts, ruleSet, isLocal = false } = sources;
  const lateUpTo = plan.floor.number - deployLifespan;
  return {
    baseState: plan.anchor.postStateHash,
    merged: plan.merged.map(({ hash }) => hash),
    lineage: plan.lineage.map(({ hash }) => hash),
    settled: lineage.effectsDownTo(plan.mainParent, lateUpTo),
    lateUpTo,
    priorRejections: ruleSet.countPriorRejections(sources, plan),
    isLocal,
    recorded: plan.visible.flatMap(({ hash }) => facts.factsOf(hash).rejections),
  };
}

/** Effects that are final for a parent must not be given up. @spec 61 §12.3 (step 12) */
function requireSettled(
  lineage: StateLineage,
  settled: readonly BlockMetadata[],
  records: readonly RejectedDeploy[],
): void {
  for (const { signature, duplicate } of records) {
    if (duplicate === true) continue;
    for (const floor of settled) {
      if (lineage.holdsEffect(floor, hashKey(signature), floor.number - deployLifespan))
        throw new ChainError({ code: "settledRejected", floor: floor.hash, signature });
    }
  }
}
