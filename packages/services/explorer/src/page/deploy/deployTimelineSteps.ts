import type { DeployStatus } from "@vedette/client";

/** A step on the way of a deploy. */
export interface TimelineStep {
  readonly title: string;
  readonly about: string;
  readonly state: "done" | "now" | "bad" | "to come";
  readonly block?: { readonly hash: string; readonly number: bigint };
}

/** The heights of the chain, as far as they are known. */
export interface ChainHeights {
  readonly head: number | undefined;
  readonly finalized: number | undefined;
}

/** The way of a deploy from the signature to its end, in words. */
export function deployTimelineSteps(
  { status, blocks }: DeployStatus,
  { head, finalized }: ChainHeights,
): TimelineStep[] {
  const signed: TimelineStep = { title: "Received", about: "signed and sent to a node", state: "done" };
  const placed = blocks[0]?.block;
  const block = placed && { hash: placed.blockHash, number: placed.blockNumber };
  if (block === undefined) {
    const waiting = status === "pending";
    const about = { pending: "waits in the pool of this node", expired: "no block can include it any more" }[
      status as string
    ];
    const next: TimelineStep = {
      title: "Included",
      about: about ?? "this node no longer proposes it",
      state: waiting ? "now" : "bad",
    };
    return [signed, next, { title: "Finalized", about: waiting ? "afterwards" : "never", state: "to come" }];
  }
  const included: TimelineStep = { title: "Included", about: "executed in", state: "done", block };
  switch (status) {
    case "finalized":
      return [signed, included, { title: "Finalized", about: distanceText(block.number, finalized), state: "done" }];
    case "failed":
      return [
        signed,
        included,
        { title: "Failed", about: "failed in a final block; this cannot change", state: "bad" },
      ];
    case "failedSoFar":
      return [
        signed,
        included,
        { title: "Failed so far", about: "failed in a final block; another block can still include it", state: "bad" },
      ];
    case "expired":
      return [
        signed,
        included,
        { title: "Expired", about: "not in the final state, and no block can include it any more", state: "bad" },
      ];
    case "pending":
      if (blocks[0]?.rejectedBy !== null)
        return [
          signed,
          included,
          { title: "Rejected in merge", about: "a later block can include it again", state: "now" },
        ];
      return [
        signed,
        included,
        { title: "Finalized", about: "its block was orphaned; waits for another block", state: "now" },
      ];
    case "rejected":
      return [
        signed,
        included,
        { title: "Rejected in merge", about: "not in the state; no fee was charged", state: "bad" },
      ];
    case "forkedAway":
      return [signed, included, { title: "Orphaned", about: "its block never becomes final", state: "bad" }];
    default: {
      const above = head === undefined ? 0 : Math.max(0, head - Number(block.number));
      const about = `not yet; ${above} ${above === 1 ? "height" : "heights"} above it`;
      return [signed, included, { title: "Finalized", about, state: "now" }];
    }
  }
}

function distanceText(number: bigint, finalized: number | undefined): string {
  const below = finalized === undefined ? 0 : finalized - Number(number);
  return below > 0 ? `${below} below the last finalized block` : "final";
}
