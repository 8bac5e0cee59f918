import type { DagView } from "../dag/DagView.js";

/** What of the DAG decides finality: blocks, and who stands where. @spec 40 §8 */
export type VotingView = Pick<
  DagView,
  "find" | "require" | "latestMessage" | "latestMessages" | "lastFinalized" | "judgesByEvidence" | "hasSlashingEvidence"
>;
