import type { DagView } from "../dag/DagView.js";

/** The part of the DAG that decides finality: blocks and latest messages. @spec 40 §8 */
export type VotingView = Pick<
  DagView,
  "find" | "require" | "latestMessage" | "latestMessages" | "lastFinalized" | "judgesByEvidence" | "hasSlashingEvidence"
>;
