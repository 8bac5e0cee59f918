import type { BlockMetadata } from "../dag/BlockMetadata.js";
import { Connections } from "./heaviestClique.js";
import { notWalked } from "./LatestPairs.js";
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
      at = parent === undefined ? undefined : this.votes.dag.find(parent, at.parentKeys[0]);
    }
    for (const key of walked) this.inMainChain.set(key, answer ?? false);
    return answer ?? false;
  }

  /**
   * Returns which validators are connected with each other, by their places in the list. Two are where neither can have
   * seen the other choose against the target.
   *
   * PERF: each pair costs two comparisons of numbers.
   */
  connections(validators: readonly number[]): Connections {
    const leavesAt = Uint32Array.from(validators, (validator) => this.leaves(validator));
    const { pairs } = this.votes;
    for (const [index, validator] of validators.entries()) pairs.resolve(validator, leavesAt[index]!);
    const { stops, numbers } = pairs;
    const found = new Connections(validators.length);
    for (let row = 1; row < validators.length; row += 1) {
      const a = validators[row]!;
      const leaves = leavesAt[row]!;
      for (let column = 0; column < row; column += 1) {
        const b = validators[column]!;
        if (stops[a * numbers.size + b]! <= leavesAt[column]! && stops[b * numbers.size + a]! <= leaves)
          found.connect(row, column);
      }
    }
    return found;
  }

  /** How far before its latest message a validator left the target; {@link notWalked} where it never did. */
  private leaves(validator: number): number {
    return (this.leavesAt[validator] ??= this.findLeaving(validator));
  }

  /** Quirk 40 §8.1: the walk begins with the message before the latest one. */
  private findLeaving(validator: number): number {
    for (let index = 0; ; index += 1) {
      const block = this.votes.ownBlock(validator, index);
      if (block === undefined) return notWalked;
      if (!this.supports(block)) return index;
    }
  }
}
