import type { Deploy } from "@vedette/protocol";
import { deployLifespan } from "../ChainRules.js";
import type { BlockDecision } from "./blockDecision.js";

/** What became of a deploy. */
export type DeployFate =
  | "pending"
  | "included"
  | "finalized"
  | "failed"
  | "rejected"
  | "expired"
  | "forkedAway"
  | "refused";

/** What the block that counts says of a deploy. */
export interface DeployInclusion {
  readonly decision: BlockDecision;
  /** Whether a merge that is final gave the deploy up. */
  readonly isRejected: boolean;
  readonly hasFailed: boolean;
}

/** What is to be known beside blocks. */
export interface DeployOutlook {
  readonly isPooled: boolean;
  readonly nextBlockNumber: bigint;
  /** Unix milliseconds; only deploys that say until when they may be in a block ask for it. */
  readonly nowMs: number;
  /** Whether a deploy that a merge gave up is proposed again, as on networks of the newer node. @spec 61 §12.3 */
  readonly retriesRejected: boolean;
}

/** The fate of a deploy that a valid block has. @spec 40 §12.3, 50 §1.13 */
export function fateInBlock(deploy: Deploy, inclusion: DeployInclusion, outlook: DeployOutlook): DeployFate {
  if (inclusion.isRejected) {
    const isRetried = outlook.retriesRejected && fateOutside(deploy, outlook) === "pending";
    return isRetried ? "pending" : "rejected";
  }
  switch (inclusion.decision) {
    case "finalized":
      return inclusion.hasFailed ? "failed" : "finalized";
    case "pending":
      return "included";
    case "forkedAway":
      return fateOutside(deploy, outlook);
  }
}

/** The fate of a deploy that no living block has: check 8 of the next block that can be made. @spec 40 §5.3, 61 §14.2 */
export function fateOutside(
  { validAfterBlockNumber, expirationTimestamp }: Pick<Deploy, "validAfterBlockNumber" | "expirationTimestamp">,
  { isPooled, nextBlockNumber, nowMs }: Omit<DeployOutlook, "retriesRejected">,
): "expired" | "pending" | "forkedAway" {
  if (validAfterBlockNumber <= nextBlockNumber - deployLifespan) return "expired";
  if (expirationTimestamp !== undefined && nowMs > Number(expirationTimestamp)) return "expired";
  return isPooled ? "pending" : "forkedAway";
}
