import type { ReadLimits } from "../database/ReadBudget.js";

/** How large a request may be. @spec 60 §5 */
export interface CostLimits {
  readonly tokens: number;
  readonly depth: number;
  /** Fields and fragments in all, with those of fragments at each of their uses. */
  readonly fields: number;
  /** Fields of the root, with those of fragments. */
  readonly roots: number;
  /** Fields under another name. */
  readonly aliases: number;
}

const defaultCostLimits: CostLimits = { tokens: 5_000, depth: 15, fields: 2_000, roots: 20, aliases: 100 };

/** The limits of a request. */
export interface GraphqlLimits {
  readonly cost: CostLimits;
  readonly read: ReadLimits;
}

export const defaultGraphqlLimits: GraphqlLimits = {
  cost: defaultCostLimits,
  read: { timeoutMs: 5_000, rows: 20_000, bytes: 16 << 20 },
};
