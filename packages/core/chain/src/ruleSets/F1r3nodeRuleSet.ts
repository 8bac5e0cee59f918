import type { TipRankingRule } from "../forkChoice/f1r3node/rankTips.js";
import type { CountPriorRejections } from "../merge/f1r3node/priorRejections.js";

/**
 * The decisions in which versions of f1r3node differ, composed of rules that have a file each.
 *
 * @spec 61 §24
 */
export interface F1r3nodeRuleSet {
  /** As `casper.rule-set` names it. */
  readonly name: string;
  /** Versions of blocks that it judges; it makes no statement about others. */
  readonly blockVersions: readonly bigint[];
  /** Which tip a new block is built on first. @spec 61 §13.7 (step 2) */
  readonly rankTips: TipRankingRule;
  /** Which deploys have priority in a merge. @spec 61 §12.6, §24.1 */
  readonly countPriorRejections: CountPriorRejections;
}
