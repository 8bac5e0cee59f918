import type { Series } from "../statistics/series.js";

/** What an account had after a block, as the index tells it. */
export interface BalanceState {
  readonly block_number: string;
  /** In the smallest unit. */
  readonly unbonded_balance_dust: string;
}

const dustOfCoin = 100_000_000;

/** Coins over heights, from states in any order; of several blocks of a height one counts. */
export function balancesOver(states: readonly BalanceState[]): Series {
  const coins = new Map(
    states.map((state) => [Number(state.block_number), Number(state.unbonded_balance_dust) / dustOfCoin]),
  );
  const heights = [...coins.keys()].sort((one, other) => one - other);
  return [heights, heights.map((height) => coins.get(height) ?? null)];
}
