import { commForReplay } from "@vedette/protocol";
import { findCandidates, removeCandidates } from "../space/candidates.js";
import type { SpaceRules } from "./SpaceRules.js";

/** The operations on rnode networks. @spec 30 §1, §3 */
export const rnodeRules: SpaceRules = {
  findCandidates,
  removeAfterConsume: removeCandidates,
  removeAfterProduce(hot, group, candidates) {
    removeCandidates(candidates);
    for (const { cell } of candidates) hot.removeJoin(cell, group);
  },
  isStored: () => true,
  guardsReplayedConsume: true,
  isLogNewestFirst: true,
  commForReplay,
};
