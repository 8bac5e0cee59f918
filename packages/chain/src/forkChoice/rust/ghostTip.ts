import { compareBytes } from "@vedette/crypto";
import { hashKey } from "@vedette/protocol";
import { ChainError } from "../../ChainError.js";
import type { BlockMetadata } from "../../dag/BlockMetadata.js";
import { commonAncestor } from "../../dag/commonAncestor.js";
import type { DagView } from "../../dag/DagView.js";
import { weightsOf } from "../../finality/faultTolerance.js";

/** A validator's latest message. */
export interface Vote {
  readonly validator: Uint8Array;
  readonly block: BlockMetadata;
}

const mostSteps = 100_000;

/**
 * The stake behind blocks: each validator stands behind every block of the main chain of its latest message.
 *
 * @spec 61 §13.7 (step 2)
 */
export class VoteScores {
  private readonly dag: DagView;
  private readonly ancestor: BlockMetadata;
  private readonly scores = new Map<string, bigint>();
  /** Key of a block → the blocks above it on some main chain. */
  private readonly above = new Map<string, Map<string, BlockMetadata>>();

  /**
   * @param votes of which there is one at least
   * @throws {ChainError} `blockMissing`, `tooComplex`
   * @cost the main chains down to what all have below them
   */
  constructor(dag: DagView, votes: readonly Vote[]) {
    this.dag = dag;
    this.ancestor = votes.map(({ block }) => block).reduce((one, other) => commonAncestor(dag, one, other));
    for (const vote of votes) this.add(vote);
  }

  of(block: BlockMetadata): bigint {
    return this.scores.get(block.key) ?? 0n;
  }

  /** From what all have below them up, at every fork to the heavier side; of equal ones to the smaller hash. */
  heaviestTip(): BlockMetadata {
    for (let at = this.ancestor; ; ) {
      const sides = [...(this.above.get(at.key)?.values() ?? [])];
      const [first, ...others] = sides;
      if (first === undefined) return at;
      at = others.reduce((best, side) => (this.isHeavier(side, best) ? side : best), first);
    }
  }

  private isHeavier(one: BlockMetadata, other: BlockMetadata): boolean {
    const [left, right] = [this.of(one), this.of(other)];
    return left === right ? compareBytes(one.hash, other.hash) < 0 : left > right;
  }

  private add({ validator, block }: Vote): void {
    const key = hashKey(validator);
    let at = block;
    for (let steps = 0; at.number >= this.ancestor.number; steps += 1) {
      if (steps >= mostSteps)
        throw new ChainError({ code: "tooComplex", what: "Weighing the sides of a fork", limit: mostSteps });
      const weight = weightsOf(this.dag, at).stakes.get(key) ?? 0n;
      this.scores.set(at.key, this.of(at) + weight);
      if (at.mainParent === undefined) return;
      const parent = this.dag.require(at.mainParent);
      let sides = this.above.get(parent.key);
      if (sides === undefined) this.above.set(parent.key, (sides = new Map()));
      sides.set(at.key, at);
      at = parent;
    }
  }
}
