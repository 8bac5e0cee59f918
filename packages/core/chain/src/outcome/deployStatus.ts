import type { BlockFinality } from "./blockFinality.js";
import type { FinalDeployStatus } from "./finalDeployStatus.js";

/** The outcome of a deploy, final or so far. */
export type DeployLifecycleStatus =
  | FinalDeployStatus
  | "pending"
  | "included"
  | "failedSoFar"
  | "rejected"
  | "forkedAway"
  | "refused";

/** The facts about a deploy in the block that counts. */
export interface DeployInclusion {
  readonly finality: BlockFinality;
  /** Whether a merge that is final gave the deploy up. */
  readonly isRejected: boolean;
  /** Whether its effect is in the state of that block. */
  readonly hasEffect: boolean;
}

/** The facts that a status needs beside blocks. */
export interface DeployStatusContext {
  readonly isPooled: boolean;
  /** Whether a deploy that a merge gave up is proposed again, as on f1r3node networks. @spec 61 §12.3 */
  readonly retriesRejected: boolean;
}

/**
 * Returns the status so far of a deploy without a final outcome.
 *
 * @param inclusion `undefined` if no valid block has it
 * @spec 40 §12.5, 50 §1.13
 */
export function statusSoFar(
  inclusion: DeployInclusion | undefined,
  { isPooled, retriesRejected }: DeployStatusContext,
): Exclude<DeployLifecycleStatus, FinalDeployStatus | "refused"> {
  switch (inclusion?.finality) {
    case undefined:
      return "pending";
    case "pending":
      return "included";
    case "forkedAway":
      return isPooled ? "pending" : "forkedAway";
    case "finalized":
      if (!inclusion.isRejected && !inclusion.hasEffect) return "failedSoFar";
      return retriesRejected ? "pending" : "rejected";
  }
}
