import { rejectionOptions } from "../rejectDeploys.js";
import { chainCost, compareBranches, type MergeChain } from "./MergeChain.js";

/** Which branches to give up: their indices. */
export type Rejection = ReadonlySet<number>;

/**
 * The cheapest way to give branches up so that no two of the others conflict.
 *
 * Each group of branches that conflict with each other, directly or over others, is decided by itself: what is cheapest
 * altogether is cheapest in each group, also where costs are equal. All ways of all groups together would be too many.
 *
 * @param branches  sorted
 * @param conflicts branch → the branches that it conflicts with; symmetric
 * @spec 61 §12.6 (steps 2, 4)
 * @throws {MergeError} `tooManyOptions` for one group
 */
export function cheapestRejection(
  branches: readonly (readonly MergeChain[])[],
  conflicts: ReadonlyMap<number, Rejection>,
): Set<number> {
  const cheapest = new Set<number>();
  for (const group of conflictGroups(conflicts)) {
    const best = rejectionOptions(group).reduce((one, other) =>
      compareRejections(branches, other, one) < 0 ? other : one,
    );
    for (const branch of best) cheapest.add(branch);
  }
  return cheapest;
}

/**
 * The cheaper one first; then the one with fewer chains, the one whose branches come first, the one with fewer branches.
 *
 * @spec 61 §12.6 (step 4)
 */
export function compareRejections(
  branches: readonly (readonly MergeChain[])[],
  left: Rejection,
  right: Rejection,
): number {
  const [ofLeft, ofRight] = [chosen(branches, left), chosen(branches, right)];
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

/** What conflicts with each other, directly or over others; branches without conflicts are in no group. */
function conflictGroups(conflicts: ReadonlyMap<number, Rejection>): Map<number, Rejection>[] {
  const groups: Map<number, Rejection>[] = [];
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

function chosen(branches: readonly (readonly MergeChain[])[], rejection: Rejection): (readonly MergeChain[])[] {
  return branches.filter((_, index) => rejection.has(index));
}

function costOf(branches: readonly (readonly MergeChain[])[]): bigint {
  let sum = 0n;
  for (const chain of branches.flat()) sum += chainCost(chain);
  return sum;
}
