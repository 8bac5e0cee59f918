import type { DeployStatus } from "@vedette/client";

const texts: Readonly<Record<DeployStatus["status"], string>> = {
  pending: "which is orphaned; the deploy waits for another block",
  included: "not final yet",
  failedSoFar: "which is final",
  rejected: "which is final; the merge rejected the deploy",
  forkedAway: "which never becomes final",
  refused: "which is not part of the chain",
  finalized: "which is final",
  failed: "which is final",
  expired: "which is orphaned; no other block can include the deploy",
};

/** How final a deploy is, behind the name of its block. */
export function finalityText(status: DeployStatus["status"]): string {
  return texts[status];
}
