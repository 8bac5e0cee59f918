import { ChainError } from "../ChainError.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import { findDivergence } from "./ownChain.js";
import { equivocationEvidence, invalidBlockEvidence, type SlashingEvidence } from "./SlashingEvidence.js";

/**
 * Finds the offence that a block proves together with the blocks in the DAG.
 *
 * @spec 40 §16.2, §16.5
 */
export function offenceByInsertion(dag: DagView, block: BlockMetadata): SlashingEvidence | undefined {
  const { sender, senderKey, selfJustification } = block;
  if (sender.length === 0) return undefined;
  if (block.invalid) return invalidBlockEvidence(sender, block.hash);
  if (selfJustification === undefined) return undefined;
  const [beside] = dag.ownBlocksAfter(sender, selfJustification);
  if (beside !== undefined) return equivocationEvidence(sender, block.hash, beside);
  return dag.find(selfJustification)?.senderKey === senderKey ? undefined : secondBeginning(dag, block);
}

/** A validator begins once; it may state different blocks as those that bonded it. */
function secondBeginning(dag: DagView, block: BlockMetadata): SlashingEvidence | undefined {
  const { sender, senderKey, selfJustification } = block;
  const latestHash = dag.latestMessage(senderKey);
  const latest = latestHash === undefined ? undefined : dag.find(latestHash);
  // Blocks fetched with a state arrive with the highest first, before the blocks below them.
  if (latest?.senderKey !== senderKey || !dag.has(selfJustification!)) return undefined;
  try {
    const { left, right } = findDivergence(dag, block, latest);
    return left === undefined || right === undefined ? undefined : equivocationEvidence(sender, left.hash, right.hash);
  } catch (error) {
    if (error instanceof ChainError) return undefined;
    throw error;
  }
}
