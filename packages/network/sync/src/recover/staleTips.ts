import { encodePacket } from "@vedette/protocol";
import type { SyncDagView } from "../ports/ChainPort.js";
import type { PeersPort } from "../ports/PeersPort.js";
import type { EmitSyncEvent } from "../SyncEvent.js";

/**
 * Whether no validator has sent a message for a while.
 *
 * @spec 40 §4.7
 * @cost the latest messages; no block is read
 */
export function tipsAreStale({ dag }: { readonly dag: SyncDagView }, nowMs: number, thresholdMs: number): boolean {
  for (const timestamp of dag.latestTimes()) if (Number(timestamp) > nowMs - thresholdMs) return false;
  return true;
}

/** Requests tips from peers. @spec 40 §3.2, §4.7 */
export async function requestTips(peers: PeersPort, emit: EmitSyncEvent): Promise<void> {
  await peers.broadcast("ForkChoiceTipRequest", encodePacket("ForkChoiceTipRequest", {}));
  emit({ type: "tipsRequested" });
}
