import { toHex } from "@vedette/crypto";
import { compareChains, type MergeChain } from "./MergeChain.js";

/** How often a chain was given up before, as far as that counts. @spec 61 §24.1 */
export type LossesOf = (chain: MergeChain) => number;

/** Where nothing counts that was given up before: the rule of version 0.4.45. */
export const noLosses: LossesOf = () => 0;

/** As often as the deploy of the chain that was given up most often. @param counts by hex of the signature */
export function lossesBy(counts: ReadonlyMap<string, number>): LossesOf {
  if (counts.size === 0) return noLosses;
  return ({ deploys }) => deploys.reduce((most, { id }) => Math.max(most, counts.get(toHex(id)) ?? 0), 0);
}

/** Those with the most losses first, else in the order of chains. @spec 61 §24.1 */
export function byLosses(losses: LossesOf): (left: MergeChain, right: MergeChain) => number {
  return (left, right) => losses(right) - losses(left) || compareChains(left, right);
}
