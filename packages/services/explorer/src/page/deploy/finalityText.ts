import type { DeployStatus } from "@vedette/client";

const texts: Readonly<Record<DeployStatus["status"], string>> = {
  pending: "which does not count; the deploy waits for another one",
  included: "not final yet",
  failedSoFar: "which is final",
  rejected: "which is final, but a merge gave the deploy up",
  forkedAway: "which will never be final",
  refused: "which does not count",
  finalized: "which is final",
  failed: "which is final",
  expired: "which does not count; no other block can bring the deploy",
};

/** How final a deploy is, behind the name of its block. */
export function finalityText(status: DeployStatus["status"]): string {
  return texts[status];
}
