import { rejectionOptions } from "../resolveConflicts.js";
import type { LossesOf } from "./losses.js";
import { chainCost, compareBranches, type MergeChain } from "./MergeChain.js";

/** Which branches to give up: their indices. */
export type RejectedBranches = ReadonlySet<number>;

/**
 * The cheapest way to give branches up so that no two of the others conflict.
 *
 * Each group of branches that conflict with each other, directly or over others, is decided by itself: what is cheapest
 * altogether is cheapest in each group, also where costs are equal. All ways of all groups together would be too many.
 * The most losses of a single chain are those of all groups together: a group may give up as much as another one has to.
 *
 * @param branches  sorted
 * @param conflicts branch → the branches that it conflicts with; symmetric
 * @spec 61 §12.6 (steps 2, 4), §24.1
 * @throws {MergeError} `tooManyOptions` for one group
 */
export function cheapestRejection(
  branches: readonly (readonly MergeChain[])[],
  conflicts: ReadonlyMap<number, RejectedBranches>,
  losses: LossesOf,
): Set<number> {
  const groups = conflictGroups(conflicts).map((group) => rejectionOptions(group));
  const mostOf = (option: RejectedBranches) => mostLosses(chosen(branches, option), losses);
  const most = groups.map((options) => options.map(mostOf).reduce(lower)).reduce(higher, 0);
  const cheapest = new Set<number>();
  for (const options of groups) {
    const best = options
      .filter((option) => mostOf(option) <= most)
      .reduce((one, other) => (compareWithin(branches, { left: other, right: one, losses }) < 0 ? other : one));
    for (const branch of best) cheapest.add(branch);
  }
  return cheapest;
}

/** Two ways to give branches up. */
export interface RejectionPair {
  readonly left: RejectedBranches;
  readonly right: RejectedBranches;
  readonly losses: LossesOf;
}

/**
 * Orders options: first the one with fewer losses in its worst chain, then the one with fewer losses altogether; then
 * the cheaper one, the one with fewer chains, the one with the earlier branches, the one with fewer branches.
 *
 * @spec 61 §12.6 (step 4), §24.1
 */
export function compareRejections(branches: readonly (readonly MergeChain[])[], pair: RejectionPair): number {
  const [most, mostOfOther] = [pair.left, pair.right].map((option) =>
    mostLosses(chosen(branches, option), pair.losses),
  );
  return most! - mostOfOther! || compareWithin(branches, pair);
}

/** As {@link compareRejections}, of those that may be. */
function compareWithin(branches: readonly (readonly MergeChain[])[], { left, right, losses }: RejectionPair): number {
  const [ofLeft, ofRight] = [chosen(branches, left), chosen(branches, right)];
  const lost = sumOfLosses(ofLeft, losses) - sumOfLosses(ofRight, losses);
  if (lost !== 0) return lost;
  const [leftCost, rightCost] = [costOf(ofLeft), costOf(ofRight)];
  if (leftCost !== rightCost) return leftCost < rightCost ? -1 : 1;
  const chains = ofLeft.flat().length - ofRight.flat().length;
  if (chains !== 0) return chains;
  for (let i = 0; i < Math.min(ofLeft.length, ofRight.length); i += 1) {
    const order = compareBranches(ofLeft[i]!, ofRight[i]!);
    if (order !== 0) return order;
  }
  return ofLeft.length - ofRight.length;
}

/**
 * Returns groups of branches that conflict with each other, directly or over others; branches without conflicts are in
 * no group.
 */
function conflictGroups(conflicts: ReadonlyMap<number, RejectedBranches>): Map<number, RejectedBranches>[] {
  const groups: Map<number, RejectedBranches>[] = [];
  const seen = new Set<number>();
  for (const [branch, opponents] of conflicts) {
    if (seen.has(branch) || opponents.size === 0) continue;
    const members = new Set([branch]);
    for (const member of members) for (const opponent of conflicts.get(member) ?? []) members.add(opponent);
    for (const member of members) seen.add(member);
    groups.push(new Map([...members].map((member) => [member, conflicts.get(member)!])));
  }
  return groups;
}

function chosen(branches: readonly (readonly MergeChain[])[], rejection: RejectedBranches): (readonly MergeChain[])[] {
  return branches.filter((_, index) => rejection.has(index));
}

function mostLosses(branches: readonly (readonly MergeChain[])[], losses: LossesOf): number {
  return branches.flat().map(losses).reduce(higher, 0);
}

function sumOfLosses(branches: readonly (readonly MergeChain[])[], losses: LossesOf): number {
  return branches
    .flat()
    .map(losses)
    .reduce((sum, count) => sum + count, 0);
}

function higher(one: number, other: number): number {
  return Math.max(one, other);
}

function lower(one: number, other: number): number {
  return Math.min(one, other);
}

function costOf(branches: readonly (readonly MergeChain[])[]): bigint {
  let sum = 0n;
  for (const chain of branches.flat()) sum += chainCost(chain);
  return sum;
}
