import type { ValidatorActivity } from "./validatorActivity.js";

const validatorOrders = ["stake", "proposed", "withoutBlock", "orphaned"] as const;
export type ValidatorOrder = (typeof validatorOrders)[number];

/** The greatest first; of equal ones the order stays. */
export function sortedBy(of: readonly ValidatorActivity[], by: ValidatorOrder): readonly ValidatorActivity[] {
  const amountOf = (one: ValidatorActivity): bigint => BigInt(one[by] ?? 0);
  return [...of].sort((a, b) => (amountOf(a) === amountOf(b) ? 0 : amountOf(a) < amountOf(b) ? 1 : -1));
}
