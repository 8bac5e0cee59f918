import { hashKey } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { BondSet } from "../dag/BondSet.js";
import type { DagView } from "../dag/DagView.js";
import { Agreement } from "./agreement.js";
import { float32 } from "./float32.js";
import { heaviestClique } from "./heaviestClique.js";
import { Votes } from "./Votes.js";

/** Fault tolerance of a block that no majority supports. @spec 40 §11 */
const minimumFaultTolerance = -1;

/**
 * Returns the bonds with the stakes that count for a block: its main parent's bonds, or its own if it has no parent.
 *
 * A node that began above genesis does not have the parents of its lowest blocks; their own bonds must do.
 *
 * @spec 40 §8.1
 */
export function weightsOf(dag: Pick<DagView, "find">, block: BlockMetadata): BondSet {
  const parent = block.mainParent === undefined ? undefined : dag.find(block.mainParent, block.parentKeys[0]);
  return parent === undefined ? block.bonds : parent.bonds;
}

/**
 * How sure it is that a block stays: -1 (not at all) to 1.
 *
 * @spec 40 §8.1
 * @throws {ChainError} `tooComplex`
 */
export function faultTolerance(dag: DagView, hash: Uint8Array): number {
  const target = dag.find(hash);
  if (target === undefined) return minimumFaultTolerance;
  const votes = new Votes(dag);
  const agreement = new Agreement(votes, target);
  const weights = weightsOf(dag, target);
  const validators: number[] = [];
  const stakes: bigint[] = [];
  for (const { validator, hash: latest } of dag.latestMessages()) {
    const key = hashKey(validator);
    const stake = weights.stakes.get(key);
    const number = votes.numberOf(key);
    if (stake === undefined || number === undefined || dag.hasSlashingEvidence(key)) continue;
    if (!agreement.supports(dag.require(latest))) continue;
    validators.push(number);
    stakes.push(stake);
  }
  if (!isMajority(sumOf(stakes), weights.total)) return minimumFaultTolerance;
  const clique = heaviestClique(stakes, agreement.connections(validators));
  return toleranceOfClique(clique, weights.total);
}

function sumOf(stakes: readonly bigint[]): bigint {
  let sum = 0n;
  for (const stake of stakes) sum += stake;
  return sum;
}

/** Whether stakes are more than half of all. @spec 40 §8.1 */
export function isMajority(stakes: bigint, total: bigint): boolean {
  return float32(stakes) > Math.fround(float32(total) / 2);
}

/** Quirk: calculated in 32-bit floats, so that large stakes lose their last digits. @spec 40 §8.1 */
export function toleranceOfClique(clique: bigint, total: bigint): number {
  const all = float32(total);
  return Math.fround(Math.fround(float32(BigInt.asIntN(64, 2n * clique)) - all) / all);
}

/**
 * Returns the smallest clique weight with a fault tolerance above a limit; more than all stakes when there is none.
 *
 * @spec 40 §8.1
 *
 * @param limit a 32-bit float
 * @cost one calculation for each bit of the total
 */
export function smallestClique(total: bigint, limit: number): bigint {
  let low = 0n;
  let high = total + 1n;
  while (low < high) {
    const middle = (low + high) / 2n;
    if (toleranceOfClique(middle, total) > limit) high = middle;
    else low = middle + 1n;
  }
  return low;
}
