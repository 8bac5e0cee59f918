import type { BondSet } from "../dag/BondSet.js";
import { Agreement } from "./agreement.js";
import { isMajority, smallestClique } from "./faultTolerance.js";
import { firstPassing } from "./firstPassing.js";
import { CliqueSearch } from "./heaviestClique.js";
import type { MainChainBlock, MainChains, VoteStep } from "./MainChains.js";
import type { Votes } from "./Votes.js";

/** Which blocks on the main chains of latest messages have a fault tolerance above a limit. @spec 40 §8.2 */
export class SafetyTest {
  readonly #chains: MainChains;
  readonly #votes: Votes;
  readonly #limit: number;
  readonly #searches = new Map<MainChainBlock, CliqueSearch>();
  /** The smallest clique that is enough, by total stake. */
  readonly #needed = new Map<bigint, bigint>();

  /** @param limit a 32-bit float */
  constructor(votes: Votes, chains: MainChains, limit: number) {
    this.#chains = chains;
    this.#votes = votes;
    this.#limit = limit;
  }

  /** @throws {ChainError} `tooComplex` */
  passing(): MainChainBlock[] {
    return this.#chains
      .linesWith((weights, stake) => this.#mayPass(weights, stake))
      .flatMap((line) => {
        const passes = (index: number) => this.#passes(line[index]!, this.#chains.supporters(line[index]!));
        // If this node has finalized a block in question, the result is near.
        const near = line.findIndex(({ block }) => block.finalized);
        const isBelow = near >= 0 && !passes(near);
        return line.slice(firstPassing(near < 0 || isBelow ? line.length : near, passes, isBelow ? near + 1 : 0));
      });
  }

  /** The one of several that pass which rnode's steps find first. @throws {ChainError} `tooComplex` */
  firstOf(passing: readonly MainChainBlock[]): VoteStep | undefined {
    let first: VoteStep | undefined;
    for (const candidate of passing) {
      if (first !== undefined && !this.#mayPassWithin(candidate, this.#chains.stepsOf(first))) continue;
      const supporters = this.#chains
        .supporters(candidate)
        .filter((vote) => first === undefined || this.#compareSteps({ vote, candidate }, first) < 0);
      if (first !== undefined && !this.#passes(candidate, supporters)) continue;
      const last = firstPassing(supporters.length - 1, (index) =>
        this.#passes(candidate, supporters.slice(0, index + 1)),
      );
      first = { vote: supporters[last]!, candidate };
    }
    return first;
  }

  /** Whether enough stake is at most this many steps above the end of a main chain; it need not be on this one. */
  #mayPassWithin({ depth, weights }: MainChainBlock, steps: number): boolean {
    let sum = 0n;
    for (const [vote, { validatorKey }] of this.#chains.votes.entries())
      if (this.#chains.placeOf(vote).depth <= depth + steps) sum += weights.stakes.get(validatorKey) ?? 0n;
    return this.#mayPass(weights, sum);
  }

  #compareSteps(left: VoteStep, right: VoteStep): number {
    return this.#chains.stepsOf(left) - this.#chains.stepsOf(right) || left.vote - right.vote;
  }

  #mayPass({ total }: BondSet, stake: bigint): boolean {
    return stake >= this.#neededOf(total) && isMajority(stake, total);
  }

  /** Whether some of the votes for a candidate are enough. */
  #passes(candidate: MainChainBlock, supporters: readonly number[]): boolean {
    const { weights } = candidate;
    const stakes = supporters.map((vote) => weights.stakes.get(this.#chains.votes[vote]!.validatorKey)!);
    if (
      !this.#mayPass(
        weights,
        stakes.reduce((sum, stake) => sum + stake, 0n),
      )
    )
      return false;
    let search = this.#searches.get(candidate);
    if (search === undefined) this.#searches.set(candidate, (search = this.#searchOn(candidate)));
    return search.hasHeavy(supporters, this.#neededOf(weights.total));
  }

  /** Its nodes are votes. */
  #searchOn({ block, weights: { stakes } }: MainChainBlock): CliqueSearch {
    const agreement = new Agreement(this.#votes, block);
    const { votes } = this.#chains;
    const validators = votes.map(({ validatorKey }) => this.#votes.numberOf(validatorKey)!);
    return new CliqueSearch(
      votes.map(({ validatorKey }) => stakes.get(validatorKey) ?? 0n),
      agreement.connections(validators),
    );
  }

  #neededOf(total: bigint): bigint {
    let needed = this.#needed.get(total);
    if (needed === undefined) this.#needed.set(total, (needed = smallestClique(total, this.#limit)));
    return needed;
  }
}
