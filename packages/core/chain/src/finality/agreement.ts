import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { Votes } from "./Votes.js";

/**
 * Finds the validators that agree on one block, in the view of the latest messages.
 *
 * @spec 40 §8.1
 * @cost once the blocks above the target, and their creators; then little for each pair of validators
 */
export class Agreement {
  private readonly votes: Votes;
  private readonly target: BlockMetadata;
  private readonly inMainChain: Map<string, boolean>;
  private readonly leavesAt: number[] = [];

  constructor(votes: Votes, target: BlockMetadata) {
    this.votes = votes;
    this.target = target;
    this.inMainChain = new Map([[target.key, true]]);
  }

  /** Whether a block has the target on its main chain. */
  supports(block: BlockMetadata): boolean {
    const walked: string[] = [];
    let at: BlockMetadata | undefined = block;
    let answer: boolean | undefined;
    while (answer === undefined) {
      answer = at === undefined || at.number <= this.target.number ? at?.key === this.target.key : undefined;
      if (at !== undefined) answer ??= this.inMainChain.get(at.key);
      if (answer !== undefined || at === undefined) break;
      walked.push(at.key);
      const parent: Uint8Array | undefined = at.mainParent;
      at = parent === undefined ? undefined : this.votes.dag.find(parent);
    }
    for (const key of walked) this.inMainChain.set(key, answer ?? false);
    return answer ?? false;
  }

  /**
   * Returns which validators are connected with each other: for each pair, by its row and column, 1 or 0. Two are where
   * neither can have seen the other choose against the target.
   *
   * PERF: mostly each costs a comparison of two numbers.
   */
  connections(validators: readonly number[]): Uint8Array {
    const count = validators.length;
    const found = new Uint8Array(count * count);
    const leavesAt = Float64Array.from(validators, (validator) => this.leaves(validator));
    for (let row = 0; row < count; row += 1) {
      const a = validators[row]!;
      const stops = this.votes.stopsOf(a);
      for (let column = 0; column < count; column += 1) {
        const b = validators[column]!;
        const stop = stops[b]!;
        const leaves = leavesAt[column]!;
        // A negative one is not computed yet.
        const isKnown = stop >= 0 && leaves !== Number.POSITIVE_INFINITY;
        if (isKnown ? stop <= leaves : this.neverDisagree(a, b)) found[row * count + column] = 1;
      }
    }
    for (let row = 0; row < count; row += 1)
      for (let column = 0; column < row; column += 1) {
        const both = found[row * count + column]! & found[column * count + row]!;
        found[row * count + column] = found[column * count + row] = both;
      }
    return found;
  }

  /** Whether no message of b, later than the one that a's latest message knew, leaves the target. */
  private neverDisagree(a: number, b: number): boolean {
    const leavesAt = this.leaves(b);
    return leavesAt === Number.POSITIVE_INFINITY ? this.votes.knows(a, b) : this.votes.stopsAt(a, b) <= leavesAt;
  }

  /** How far before its latest message a validator left the target; infinite where it never did. */
  private leaves(validator: number): number {
    return (this.leavesAt[validator] ??= this.findLeaving(validator));
  }

  /** Quirk 40 §8.1: the walk begins with the message before the latest one. */
  private findLeaving(validator: number): number {
    for (let index = 0; ; index += 1) {
      const block = this.votes.ownBlock(validator, index);
      if (block === undefined) return Number.POSITIVE_INFINITY;
      if (!this.supports(block)) return index;
    }
  }
}
