import { neededClique, smallestClique } from "@vedette/chain/finality";
import { type Dialect, f1r3node, rnode } from "@vedette/protocol";

/** The rules that a network agrees on, known before anything is verified. @spec 70 §3 */
export interface LightRules {
  readonly dialect: Dialect;
  /** The smallest clique that makes a block final, of all stakes together. @spec 40 §8.1, 61 §13.1 */
  readonly needed: (total: bigint) => bigint;
}

/**
 * Rules of networks of `rnode`.
 *
 * @param threshold `fault-tolerance-threshold`, from 0 to below 1: a tolerance must be greater
 * @throws {RangeError} another threshold
 * @spec 40 §8
 */
export function rnodeRules(threshold: number): LightRules {
  if (!(threshold >= 0 && threshold < 1)) throw new RangeError(`threshold ${threshold} is not from 0 to below 1`);
  const limit = Math.fround(threshold);
  return { dialect: rnode, needed: (total) => smallestClique(total, limit) };
}

/**
 * Rules of networks of `f1r3node`.
 *
 * @param tolerance parts of a million, as the state of genesis has it; from 0 to 1,000,000
 * @throws {RangeError} another tolerance
 * @spec 61 §13
 */
export function f1r3nodeRules(tolerance: bigint): LightRules {
  if (tolerance < 0n || tolerance > 1_000_000n) throw new RangeError(`tolerance ${tolerance} is not from 0 to 1000000`);
  return { dialect: f1r3node, needed: (total) => neededClique(total, tolerance) };
}
