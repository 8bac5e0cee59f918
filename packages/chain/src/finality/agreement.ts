import { equalBytes } from "@vedette/crypto";
import { isInMainChain } from "../dag/ancestors.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";

/**
 * Who agrees on one block, in the view of the latest messages.
 *
 * Made for one target and thrown away: it remembers what it found, and the DAG must not change meanwhile.
 *
 * @spec 40 §8.1
 */
export class Agreement {
  private readonly dag: DagView;
  private readonly target: BlockMetadata;
  private readonly inMainChain = new Map<string, boolean>();

  constructor(dag: DagView, target: BlockMetadata) {
    this.dag = dag;
    this.target = target;
  }

  /** Whether a block has the target on its main chain. */
  supports(block: BlockMetadata): boolean {
    let known = this.inMainChain.get(block.key);
    if (known === undefined) {
      known = isInMainChain(this.dag, this.target, block);
      this.inMainChain.set(block.key, known);
    }
    return known;
  }

  /** Whether neither can have seen the other choose against the target. Keys are those of validators. */
  areConnected(left: string, right: string): boolean {
    return this.neverDisagree(left, right) && this.neverDisagree(right, left);
  }

  /** Whether no message of b, later than the one that a's latest message knew, leaves the target. */
  private neverDisagree(a: string, b: string): boolean {
    const latestOfA = this.latest(a);
    let at = this.latest(b);
    const knownHash = latestOfA?.justificationOf(b);
    if (knownHash === undefined || at === undefined) return false;
    const known = this.dag.find(knownHash);
    if (known === undefined) return false;
    const stopper = known.selfJustification ?? known.hash;
    for (;;) {
      // Quirk 40 §8.1: the walk begins with b's message before the latest one.
      const before: Uint8Array | undefined = at.selfJustification;
      if (before === undefined) return true;
      at = this.dag.find(before);
      if (at === undefined || equalBytes(at.hash, stopper)) return true;
      if (!this.supports(at)) return false;
    }
  }

  private latest(validatorKey: string): BlockMetadata | undefined {
    const hash = this.dag.latestMessage(validatorKey);
    return hash === undefined ? undefined : this.dag.find(hash);
  }
}
