import type { Peer } from "@vedette/network";
import { encodePacket } from "@vedette/protocol";
import type { DagView } from "../ports/ChainPort.js";
import type { PeersPort } from "../ports/PeersPort.js";
import type { EmitSyncEvent } from "../SyncEvent.js";

/** Anybody can make blocks that are some key's latest message; the valid ones come first. */
const mostTips = 1_000;
const tipsAtOnce = 32;

/**
 * Names each latest message once to the peer that asks.
 *
 * @spec 40 §2 (ForkChoiceTipRequest)
 */
export async function serveForkChoiceTipRequest(
  peer: Peer,
  use: { readonly dag: DagView; readonly peers: PeersPort; readonly emit: EmitSyncEvent },
): Promise<void> {
  const hashes = [...use.dag.latestMessages()].slice(0, mostTips);
  for (let at = 0; at < hashes.length; at += tipsAtOnce)
    await Promise.all(
      hashes
        .slice(at, at + tipsAtOnce)
        .map((hash) => use.peers.send(peer, "HasBlock", encodePacket("HasBlock", { hash }))),
    );
  use.emit({ type: "tipsServed", tips: hashes, peer });
}
