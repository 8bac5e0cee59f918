import { encodePacket } from "@vedette/protocol";
import type { BlockStoreView, DagView } from "../ports/ChainPort.js";
import type { PeersPort } from "../ports/PeersPort.js";
import type { EmitSyncEvent } from "../SyncEvent.js";

/**
 * Whether no validator has said anything for a while.
 *
 * @spec 40 §4.7
 */
export function tipsAreStale(
  { dag, blocks }: { readonly dag: DagView; readonly blocks: BlockStoreView },
  nowMs: number,
  thresholdMs: number,
): boolean {
  for (const hash of dag.latestMessages()) {
    const block = blocks.get(hash);
    if (block !== undefined && Number(block.header.timestamp) > nowMs - thresholdMs) return false;
  }
  return true;
}

/** Asks peers for their tips. @spec 40 §3.2, §4.7 */
export async function requestTips(peers: PeersPort, emit: EmitSyncEvent): Promise<void> {
  await peers.broadcast("ForkChoiceTipRequest", encodePacket("ForkChoiceTipRequest", {}));
  emit({ type: "tipsRequested" });
}
