import { fromHex, toHex } from "@vedette/crypto";
import { isSystemDeployId } from "../deployChain.js";
import { combineSets } from "../eventIndex.js";
import { rejectionOptions } from "../resolveConflicts.js";
import { cheapestRejection, compareRejections, type RejectedBranches } from "./cheapestRejection.js";
import { conflictsAmong, dependencyClasses, dependsOn } from "./eventRelations.js";
import type { ItemState } from "./ItemState.js";
import { inapplicableChains, overfillingChains } from "./inapplicable.js";
import { byLosses, type LossesOf } from "./losses.js";
import { compareBranches, compareChains, type MergeChain, nameOf } from "./MergeChain.js";
import { changedNumber, combineNumbers, type NumberChanges } from "./numberChanges.js";
import { numberIn } from "./numberItem.js";

/** Chains that depend on each other, of any blocks; sorted. @spec 61 §12.6 */
export type MergeBranch = readonly MergeChain[];

/** Which chains go into the merged state and which are given up. @spec 61 §12.6 */
export interface ResolvedChains {
  /** In branch order. */
  readonly kept: readonly MergeBranch[];
  readonly rejected: readonly MergeChain[];
}

/** The inputs of resolving chains. */
export interface ResolutionContext {
  readonly base: ItemState;
  readonly losses: LossesOf;
}

/**
 * Decides which chains of the blocks to merge go into the merged state: those that do not conflict, at the least cost,
 * and that the base state can take.
 *
 * @param late   chains that are rejected in any case, and with them what depends on them
 * @param losses earlier rejections; the deploy with more of them is kept first
 * @spec 61 §12.3 (step 9), §12.6, §24.1
 * @throws {MergeError} `tooManyOptions`, `numberChannel`
 * @cost grows with the square of the number of chains, and with the ways to resolve conflicts, which are bounded; once
 *       more for each time that chains turn out not to be applicable
 */
export function resolveChains(
  actual: readonly MergeChain[],
  late: readonly MergeChain[],
  { base, losses }: ResolutionContext,
): ResolvedChains {
  const byPriority = byLosses(losses);
  const forced = new Map<string, MergeChain>();
  for (;;) {
    const open = actual.filter((chain) => !forced.has(nameOf(chain)));
    const { kept, rejected } = resolveOnce(open, [...late, ...forced.values()], { base, losses });
    const unfit = kept.flatMap((branch) => inapplicableChains([...branch].sort(byPriority), base));
    const rest = without(kept, unfit);
    const overfilling = overfillingChains(rest.flat().sort(byPriority), base);
    const found = [...unfit, ...overfilling];
    if (found.length === 0) return { kept, rejected };
    for (const chain of found) forced.set(nameOf(chain), chain);
  }
}

/** Returns the remaining parts of branches, without empty ones. */
export function without(branches: readonly MergeBranch[], chains: readonly MergeChain[]): MergeBranch[] {
  const gone = new Set(chains);
  return branches.map((branch) => branch.filter((chain) => !gone.has(chain))).filter(({ length }) => length > 0);
}

function resolveOnce(
  actual: readonly MergeChain[],
  late: readonly MergeChain[],
  { base, losses }: ResolutionContext,
): ResolvedChains {
  const dependents = actual.filter((chain) => late.some((one) => dependsOn(chain.events, one.events)));
  const open = actual.filter((chain) => !dependents.includes(chain)).sort(compareChains);
  const branches = dependencyClasses(open, ({ events }) => events).sort(compareBranches);
  const best = bestRejection(branches, new BranchNumbers(branches, base), losses);
  const isGivenUp = (_: MergeBranch, index: number) => best.has(index);
  return {
    kept: branches.filter((branch, index) => !isGivenUp(branch, index)),
    rejected: [...late, ...dependents, ...branches.filter(isGivenUp).flat()],
  };
}

/**
 * Returns the cheapest rejection that also gives up chains which would drive a number channel too far. If there are
 * none, the cheapest of all is known without trying all options.
 *
 * @spec 61 §12.6 (steps 2 to 4)
 */
function bestRejection(branches: readonly MergeBranch[], numbers: BranchNumbers, losses: LossesOf): RejectedBranches {
  const conflicts = conflictMap(branches);
  const cheapest = cheapestRejection(branches, conflicts, losses);
  const withOverflowing = numbers.withOverflowing(cheapest);
  if (withOverflowing.size === cheapest.size) return cheapest;
  const options = rejectionOptions(conflicts);
  return (options.length === 0 ? [cheapest] : options)
    .map((option) => numbers.withOverflowing(option))
    .reduce((one, other) => (compareRejections(branches, { left: other, right: one, losses }) < 0 ? other : one));
}

/** @spec 61 §12.5 */
function conflictMap(branches: readonly MergeBranch[]): Map<number, Set<number>> {
  const map = conflictsAmong(branches.map((branch) => branch.map(({ events }) => events).reduce(combineSets)));
  const having = new Map<string, number>();
  branches.forEach((branch, index) => {
    for (const id of new Set(branch.flatMap(userIds))) {
      const other = having.get(id);
      having.set(id, index);
      if (other === undefined) continue;
      map.get(index)!.add(other);
      map.get(other)!.add(index);
    }
  });
  return map;
}

/** The ids of a chain's user deploys, as hex. */
export function userIds({ deploys }: MergeChain): string[] {
  return deploys.filter(({ id }) => !isSystemDeployId(id)).map(({ id }) => toHex(id));
}

/** The changes that branches make to number channels, and the values before. */
class BranchNumbers {
  private readonly changes: readonly NumberChanges[];
  private readonly base = new Map<string, bigint>();

  constructor(branches: readonly MergeBranch[], base: ItemState) {
    this.changes = branches.map((branch) =>
      branch.map(({ numbers }) => numbers).reduce<NumberChanges>(combineNumbers, new Map()),
    );
    for (const changes of this.changes)
      for (const channel of changes.keys())
        if (!this.base.has(channel)) this.base.set(channel, numberIn(base, fromHex(channel)));
  }

  /** Gives up the branches, too, that would drive a channel below 0 or beyond 64 bits. @spec 61 §12.6 (step 3) */
  withOverflowing(option: ReadonlySet<number>): Set<number> {
    const rejected = new Set(option);
    const values = new Map(this.base);
    this.changes.forEach((changes, index) => {
      if (rejected.has(index)) return;
      const next = new Map<string, bigint>();
      for (const [channel, change] of changes) {
        const value = changedNumber(values.get(channel)!, change);
        if (value === undefined) {
          rejected.add(index);
          return;
        }
        next.set(channel, value);
      }
      for (const [channel, value] of next) values.set(channel, value);
    });
    return rejected;
  }
}
