import type { Series } from "../statistics/series.js";

/** The balance of an account after a block, as the index returns it. */
export interface BalanceState {
  readonly block_number: string;
  /** In the smallest unit. */
  readonly unbonded_balance_dust: string;
}

/**
 * Tokens over heights, from states in any order; of several blocks of a height one counts.
 *
 * @param head height up to which the newest balance holds
 */
export function balancesOver(states: readonly BalanceState[], decimals: number, head = 0): Series {
  const dustOfToken = 10 ** decimals;
  const coins = new Map(
    states.map((state) => [Number(state.block_number), Number(state.unbonded_balance_dust) / dustOfToken]),
  );
  const heights = [...coins.keys()].sort((one, other) => one - other);
  const newest = heights.at(-1);
  if (newest !== undefined && newest < head) {
    coins.set(head, coins.get(newest)!);
    heights.push(head);
  }
  return [heights, heights.map((height) => coins.get(height) ?? null)];
}
