import { compareBytes, fromHex, toHex } from "@vedette/crypto";
import { conflict, depends } from "./conflicts.js";
import { type DeployChain, isSystemDeployId, relatedClasses, userDeployIds } from "./deployChain.js";
import { addDifferences, combineIndices, emptyIndex, type NumberDifferences } from "./eventIndex.js";
import { MergeError } from "./MergeError.js";

/** Chains that depend on each other, of any blocks. @spec 30 §A.9 step 2 */
export type Branch = readonly DeployChain[];

/** Which chains are kept and which are given up. @spec 30 §A.9 */
export interface MergeResolution {
  readonly merged: readonly DeployChain[];
  readonly rejected: readonly DeployChain[];
  /** Chains that another block has too; that block's one replaces them. */
  readonly repeated: readonly DeployChain[];
  /** Ids of the rejected user deploys, ascending. */
  readonly rejectedIds: readonly Uint8Array[];
}

/** More ways than this to resolve conflicts are not looked at: their number can double with every branch. */
const maxOptions = 20_000;
/** A number channel holds no more. @spec 30 §A.9 step 5 */
export const highestNumber = (1n << 63n) - 1n;

/**
 * Decides which chains of the blocks to merge go into the merged state.
 *
 * @param chains all chains of the blocks to merge
 * @param baseNumber the value of a number channel (hex of its hash) in the base state, 0 where it has none
 * @spec 30 §A.9
 * @throws {MergeError} `tooManyOptions`
 */
export function resolveConflicts(
  chains: readonly DeployChain[],
  baseNumber: (channel: string) => bigint,
): MergeResolution {
  const { sorted, repeated } = distinctChains(chains);
  const related = (left: DeployChain, right: DeployChain) =>
    depends(left.index, right.index) || depends(right.index, left.index);
  const branches = relatedClasses(sorted, related).sort(compareBranches);
  const options = rejectionOptions(conflictMap(branches));
  const candidates = (options.length === 0 ? [new Set<number>()] : options).map((option) =>
    rejectOverflowing(branches, option, baseNumber),
  );
  const best = candidates.reduce((one, other) => (compareOptions(branches, other, one) < 0 ? other : one));
  const rejected = branches.filter((_, index) => best.has(index)).flat();
  const merged = branches
    .filter((_, index) => !best.has(index))
    .flat()
    .sort(compareChains);
  return { merged, rejected, repeated, rejectedIds: rejectedIdsOf(rejected) };
}

/** Chains of the same deploys with the same costs are one, whichever blocks have them. @spec 30 §A.3, §A.9 step 1 */
function distinctChains(chains: readonly DeployChain[]) {
  const first = new Map<string, DeployChain>();
  const repeated: DeployChain[] = [];
  for (const chain of chains.slice().sort(compareChains)) {
    const name = chain.deploys
      .map(({ id, cost }) => `${toHex(id)}:${cost}`)
      .sort()
      .join();
    if (first.has(name)) repeated.push(chain);
    else first.set(name, chain);
  }
  return { sorted: [...first.values()], repeated };
}

/**
 * All the ways to give branches up so that no two of the others conflict.
 *
 * One keeps a branch and rejects all that conflict with it, until no conflict is left; what is kept along the way
 * may be rejected later.
 *
 * @param conflicts branch → the branches that it conflicts with; symmetric
 * @spec 30 §A.9 step 4
 * @throws {MergeError} `tooManyOptions`
 * @cost grows with the number of distinct sets that can be rejected on the way
 */
export function rejectionOptions(conflicts: ReadonlyMap<number, ReadonlySet<number>>): Set<number>[] {
  const options = new Map<string, Set<number>>();
  const seen = new Set<string>([""]);
  const pending: Set<number>[] = [new Set()];
  for (let rejected = pending.pop(); rejected !== undefined; rejected = pending.pop()) {
    const open = openConflicts(conflicts, rejected);
    if (open.length === 0 && rejected.size > 0) options.set(nameOf(rejected), rejected);
    for (const opponents of open) {
      const next = new Set([...rejected, ...opponents]);
      const name = nameOf(next);
      if (seen.has(name)) continue;
      if (seen.size >= maxOptions) throw new MergeError({ code: "tooManyOptions", most: maxOptions });
      seen.add(name);
      pending.push(next);
    }
  }
  return [...options.values()];
}

/** For each branch that is left with conflicts, its opponents that are left. */
function openConflicts(conflicts: ReadonlyMap<number, ReadonlySet<number>>, rejected: ReadonlySet<number>): number[][] {
  const open: number[][] = [];
  for (const [branch, opponents] of conflicts) {
    if (rejected.has(branch)) continue;
    const left = [...opponents].filter((opponent) => !rejected.has(opponent));
    if (left.length > 0) open.push(left);
  }
  return open;
}

function nameOf(set: ReadonlySet<number>): string {
  return [...set].sort((left, right) => left - right).join();
}

function conflictMap(branches: readonly Branch[]): Map<number, Set<number>> {
  const facts = branches.map((branch) => ({
    ids: new Set(branch.flatMap(userDeployIds)),
    // A chain with a system deploy in it takes no part in conflicts by its events.
    index: branch
      .filter(({ deploys }) => !deploys.some(({ id }) => isSystemDeployId(id)))
      .map(({ index }) => index)
      .reduce(combineIndices, emptyIndex),
  }));
  const map = new Map<number, Set<number>>(branches.map((_, index) => [index, new Set()]));
  for (let i = 0; i < branches.length; i += 1) {
    for (let j = 0; j < i; j += 1) {
      const [one, other] = [facts[i]!, facts[j]!];
      if (![...one.ids].some((id) => other.ids.has(id)) && !conflict(one.index, other.index)) continue;
      map.get(i)!.add(j);
      map.get(j)!.add(i);
    }
  }
  return map;
}

/** Gives up the branches that would drive a number channel below 0 or beyond 64 bits. @spec 30 §A.9 step 5 */
function rejectOverflowing(
  branches: readonly Branch[],
  option: ReadonlySet<number>,
  baseNumber: (channel: string) => bigint,
): Set<number> {
  const rejected = new Set(option);
  const values = new Map<string, bigint>();
  branches.forEach((branch, index) => {
    if (rejected.has(index)) return;
    const next = new Map<string, bigint>();
    for (const [channel, difference] of branchDifferences(branch)) {
      next.set(channel, (values.get(channel) ?? baseNumber(channel)) + difference);
    }
    const fits = [...next.values()].every((value) => value >= 0n && value <= highestNumber);
    if (!fits) rejected.add(index);
    else for (const [channel, value] of next) values.set(channel, value);
  });
  return rejected;
}

/** Quirk 30 §A.9(6): chains of one branch with identical differences count once here. */
function branchDifferences(branch: Branch): NumberDifferences {
  const distinct = new Map<string, NumberDifferences>();
  for (const { index } of branch) {
    const entries = [...index.numberChannels].sort(([left], [right]) => (left < right ? -1 : 1));
    distinct.set(entries.map(([channel, difference]) => `${channel}:${difference}`).join(), index.numberChannels);
  }
  return [...distinct.values()].reduce(addDifferences, new Map());
}

/** The cheaper option first, then the one with fewer branches, then the one with the earlier first branch. */
function compareOptions(branches: readonly Branch[], left: ReadonlySet<number>, right: ReadonlySet<number>): number {
  const cost = compareNumbers(optionCost(branches, left), optionCost(branches, right));
  if (cost !== 0) return cost;
  if (left.size !== right.size) return left.size - right.size;
  const [first, second] = [Math.min(...left), Math.min(...right)];
  if (left.size === 0 || first === second) return 0;
  return compareChains(branches[first]![0]!, branches[second]![0]!);
}

/** Quirk 30 §A.9(6): equal costs count once, at each of the three levels. */
function optionCost(branches: readonly Branch[], option: ReadonlySet<number>): bigint {
  const chainCost = ({ deploys }: DeployChain) => sumOfSet(deploys.map(({ cost }) => cost));
  return sumOfSet([...option].map((index) => sumOfSet(branches[index]!.map(chainCost))));
}

function sumOfSet(numbers: readonly bigint[]): bigint {
  let sum = 0n;
  for (const number of new Set(numbers)) sum += number;
  return sum;
}

function compareNumbers(left: bigint, right: bigint): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function compareChains(left: DeployChain, right: DeployChain): number {
  return compareBytes(left.postState, right.postState);
}

/** By size, then chain by chain. @spec 30 §A.9 step 6 */
function compareBranches(left: Branch, right: Branch): number {
  if (left.length !== right.length) return left.length - right.length;
  for (let i = 0; i < left.length; i += 1) {
    const order = compareChains(left[i]!, right[i]!);
    if (order !== 0) return order;
  }
  return 0;
}

function rejectedIdsOf(rejected: readonly DeployChain[]): Uint8Array[] {
  const ids = new Set(rejected.flatMap(userDeployIds));
  return [...ids].sort().map(fromHex);
}
