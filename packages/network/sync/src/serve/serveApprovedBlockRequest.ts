import { type Peer, peerUri } from "@vedette/network";
import { type ApprovedBlock, encodePacket } from "@vedette/protocol";
import type { ApprovedBlockPort, BlockStoreView, SyncDagView } from "../ports/ChainPort.js";
import type { FloorPort } from "../ports/FloorPort.js";
import type { PeersPort } from "../ports/PeersPort.js";
import type { EmitSyncEvent } from "../SyncEvent.js";

/**
 * Gives a joining node something to begin with: the last finalized block, or one of f1r3node's networks that its
 * finality goes on from, or the block that this node began with.
 *
 * @spec 40 §2.2, 61 §16.2
 */
export function serveApprovedBlockRequest(
  trimState: boolean,
  peer: Peer,
  use: {
    readonly approved: ApprovedBlockPort;
    readonly blocks: BlockStoreView;
    readonly dag: SyncDagView;
    readonly floors?: Pick<FloorPort, "seedOf" | "anchor"> | undefined;
    readonly peers: PeersPort;
    readonly emit: EmitSyncEvent;
  },
): void {
  use.peers.stream(peer, "ApprovedBlock", async () => {
    const approved = trimState ? await lastFinalizedAsApproved(use) : use.approved.get();
    return approved === undefined ? undefined : encodePacket("ApprovedBlock", approved);
  });
  use.emit({ type: "approvedBlockServed", peer });
}

/** Without approvals: the requesting node trusts its bootstrap. */
async function lastFinalizedAsApproved({
  dag,
  blocks,
  floors,
}: {
  readonly dag: SyncDagView;
  readonly blocks: BlockStoreView;
  readonly floors?: Pick<FloorPort, "seedOf" | "anchor"> | undefined;
}): Promise<ApprovedBlock | undefined> {
  const hash = floors === undefined ? dag.lastFinalized() : floors.anchor();
  const block = hash === undefined ? undefined : blocks.get(hash);
  if (hash === undefined || block === undefined) return undefined;
  const floorSeed = await floors?.seedOf(hash);
  const approved = { candidate: { block, requiredSignatures: 0 }, signatures: [] };
  return floorSeed === undefined ? approved : { ...approved, floorSeed };
}

/** Answers a joining node that it should request again later. @spec 40 §3.5 */
export function refuseApprovedBlockRequest(identifier: string, peer: Peer, peers: PeersPort): void {
  const message = { identifier: identifier.slice(0, 256), nodeIdentifier: peerUri(peers.local) };
  peers.stream(peer, "NoApprovedBlockAvailable", () => encodePacket("NoApprovedBlockAvailable", message));
}
