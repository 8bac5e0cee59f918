import { hashKey, type Justification } from "@vedette/protocol";
import { AncestorWalk } from "../dag/AncestorWalk.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView, LatestMessage } from "../dag/DagView.js";
import { findFinalized } from "../finality/finalizer.js";
import type { VotingView } from "../finality/VotingView.js";

/**
 * The blocks that a node holds for final when parents are merged.
 *
 * @spec 40 §12.1
 */
export interface MergeFinalityView {
  /** The base when the parents have nothing in common that is not final. */
  readonly lastFinalized: BlockMetadata | undefined;
  isFinalized(block: BlockMetadata): boolean;
}

/** This node's present view of finality: rnode's rule up to the builds that merge without finality. */
export function ownFinality(dag: DagView): MergeFinalityView {
  return { lastFinalized: dag.lastFinalized(), isFinalized: (block) => block.finalized };
}

/**
 * Nothing is final: the merge depends on the blocks' parents alone, so that all nodes agree.
 *
 * @spec 40 §12.1
 */
export function noFinality(dag: DagView): MergeFinalityView {
  return { lastFinalized: dag.approvedBlock(), isFinalized: () => false };
}

/** One block and all its ancestors are final. */
export function finalityUpTo(dag: DagView, lastFinalized: BlockMetadata): MergeFinalityView {
  const below = new AncestorWalk(dag, lastFinalized);
  return { lastFinalized, isFinalized: (block) => below.includes(block) };
}

/**
 * Derives, from the latest messages that a block justifies, which blocks its creator can have considered final.
 *
 * Every node that has these blocks finds the same. A creator with a clearer earlier view considered more blocks final.
 *
 * @param threshold the creator's, which is a matter of its configuration
 * @throws {ChainError} `tooComplex`
 * @spec 40 §12.1
 */
export function creatorsFinality(
  dag: DagView,
  justifications: readonly Justification[],
  threshold: number,
): MergeFinalityView {
  const first = dag.approvedBlock();
  const lastFinalized = findFinalized(new JustifiedView(dag, justifications, first), threshold, () => false) ?? first;
  return lastFinalized === undefined ? noFinality(dag) : finalityUpTo(dag, lastFinalized);
}

/** The DAG with other latest messages and the first block as the last final one. */
class JustifiedView implements VotingView {
  private readonly dag: DagView;
  private readonly first: BlockMetadata | undefined;
  private readonly latest = new Map<string, LatestMessage>();

  constructor(dag: DagView, justifications: readonly Justification[], first: BlockMetadata | undefined) {
    this.dag = dag;
    this.first = first;
    for (const { validator, latestBlockHash } of justifications) {
      if (dag.has(latestBlockHash)) this.latest.set(hashKey(validator), { validator, hash: latestBlockHash });
    }
  }

  find(hash: Uint8Array, key?: string): BlockMetadata | undefined {
    return this.dag.find(hash, key);
  }

  require(hash: Uint8Array, key?: string): BlockMetadata {
    return this.dag.require(hash, key);
  }

  get judgesByEvidence(): boolean {
    return this.dag.judgesByEvidence;
  }

  /** All nodes must see the same here, whatever else they know. */
  hasSlashingEvidence(): boolean {
    return false;
  }

  latestMessage(validatorKey: string): Uint8Array | undefined {
    return this.latest.get(validatorKey)?.hash;
  }

  latestMessages(): readonly LatestMessage[] {
    return [...this.latest.values()];
  }

  lastFinalized(): BlockMetadata | undefined {
    return this.first;
  }
}
