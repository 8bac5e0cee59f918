import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { Votes } from "./Votes.js";

/**
 * Who agrees on one block, in the view of the latest messages.
 *
 * @spec 40 §8.1
 * @cost once the blocks above the target, and their creators; then little for each pair of validators
 */
export class Agreement {
  private readonly votes: Votes;
  private readonly target: BlockMetadata;
  private readonly inMainChain: Map<string, boolean>;
  private readonly leavesAt = new Map<string, number>();

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

  /** Whether neither can have seen the other choose against the target. Keys are those of validators. */
  areConnected(left: string, right: string): boolean {
    return this.neverDisagree(left, right) && this.neverDisagree(right, left);
  }

  /** Whether no message of b, later than the one that a's latest message knew, leaves the target. */
  private neverDisagree(a: string, b: string): boolean {
    const stopper = this.votes.stopper(a, b);
    if (stopper === undefined || this.votes.latestOf(b) === undefined) return false;
    const leavesAt = this.leavesAtOf(b);
    if (leavesAt === Number.POSITIVE_INFINITY) return true;
    const index = this.votes.ownIndex(b, stopper);
    return index !== undefined && index <= leavesAt;
  }

  /** How far before its latest message a validator left the target; infinite where it never did. */
  private leavesAtOf(validatorKey: string): number {
    let found = this.leavesAt.get(validatorKey);
    if (found === undefined) {
      // Quirk 40 §8.1: the walk begins with the message before the latest one.
      for (let index = 0; found === undefined; index += 1) {
        const block = this.votes.ownBlock(validatorKey, index);
        if (block === undefined) found = Number.POSITIVE_INFINITY;
        else if (!this.supports(block)) found = index;
      }
      this.leavesAt.set(validatorKey, found);
    }
    return found;
  }
}
