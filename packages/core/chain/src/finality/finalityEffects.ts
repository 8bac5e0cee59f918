import type { BlockTable } from "../block/BlockTable.js";
import { ChainError } from "../ChainError.js";
import type { ChainEvent } from "../ChainEvent.js";
import { isAncestorOrSelf, unfinalizedAncestors } from "../dag/ancestors.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { Dag } from "../dag/Dag.js";
import type { FinalityRules } from "./FinalityRules.js";

/** The chain's parts that finality works on. */
export interface FinalityContext {
  readonly dag: Dag;
  readonly blocks: BlockTable;
  readonly rules: FinalityRules;
  readonly emit: (event: ChainEvent) => void;
}

/**
 * Looks for a new last finalized block and, if there is one, finalizes it with all its ancestors.
 *
 * @returns the new last finalized block
 * @spec 40 §8.2, §8.3
 */
export function updateFinality({ dag, blocks, rules, emit }: FinalityContext): BlockMetadata | undefined {
  const found = findOrSkip(dag, rules, emit);
  if (found === undefined) return undefined;
  const before = dag.lastFinalized();
  if (before !== undefined && !isAncestorOrSelf(dag, before, found))
    emit({ type: "finalityReverted", before, now: found });
  finalize({ dag, blocks, emit }, found);
  return found;
}

/** Makes a block the last finalized one, with all its ancestors. @spec 40 §8.3 */
export function finalize({ dag, blocks, emit }: Omit<FinalityContext, "rules">, found: BlockMetadata): void {
  const ancestors = unfinalizedAncestors(dag, found);
  dag.recordFinalized(found, ancestors);
  for (const metadata of [...ancestors, found].sort(byHeight)) {
    const block = blocks.find(metadata.hash);
    if (block !== undefined) emit({ type: "blockFinalized", block });
  }
  emit({ type: "lastFinalizedChanged", hash: found.hash, number: found.number });
}

function findOrSkip(dag: Dag, rules: FinalityRules, emit: (event: ChainEvent) => void): BlockMetadata | undefined {
  try {
    return rules.findFinalized(dag);
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    emit({ type: "finalitySkipped", reason: error.message });
    return undefined;
  }
}

function byHeight(left: BlockMetadata, right: BlockMetadata): number {
  return left.number < right.number ? -1 : left.number > right.number ? 1 : 0;
}
