import type { Peer } from "@vedette/network";
import { encodePacket, hashKey } from "@vedette/protocol";
import type { DagView } from "../ports/ChainPort.js";
import type { PeersPort } from "../ports/PeersPort.js";
import type { EmitSyncEvent } from "../SyncEvent.js";

/**
 * Names each latest message once to the peer that asks.
 *
 * @spec 40 §2 (ForkChoiceTipRequest)
 */
export async function serveForkChoiceTipRequest(
  peer: Peer,
  use: { readonly dag: DagView; readonly peers: PeersPort; readonly emit: EmitSyncEvent },
): Promise<void> {
  const tips = new Map<string, Uint8Array>();
  for (const hash of use.dag.latestMessages()) tips.set(hashKey(hash), hash);
  const hashes = [...tips.values()];
  await Promise.all(hashes.map((hash) => use.peers.send(peer, "HasBlock", encodePacket("HasBlock", { hash }))));
  use.emit({ type: "tipsServed", tips: hashes, peer });
}
