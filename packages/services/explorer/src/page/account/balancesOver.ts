import type { Series } from "../statistics/series.js";

/** What an account had after a block, as the index returns it. */
export interface BalanceState {
  readonly block_number: string;
  /** In the smallest unit. */
  readonly unbonded_balance_dust: string;
}

/** Tokens over heights, from states in any order; of several blocks of a height one counts. */
export function balancesOver(states: readonly BalanceState[], decimals: number): Series {
  const dustOfToken = 10 ** decimals;
  const coins = new Map(
    states.map((state) => [Number(state.block_number), Number(state.unbonded_balance_dust) / dustOfToken]),
  );
  const heights = [...coins.keys()].sort((one, other) => one - other);
  return [heights, heights.map((height) => coins.get(height) ?? null)];
}
