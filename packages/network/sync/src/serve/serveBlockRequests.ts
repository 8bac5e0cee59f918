import type { Peer } from "@vedette/network";
import { encodePacket, hashKey } from "@vedette/protocol";
import type { BlockStoreView, SyncDagView } from "../ports/ChainPort.js";
import type { PeersPort } from "../ports/PeersPort.js";
import type { EmitSyncEvent } from "../SyncEvent.js";

/**
 * Streams a stored block, validated or not, to the peer that requests it; no answer if there is none.
 *
 * @spec 40 §2 (BlockRequest)
 */
export function serveBlockRequest(
  hash: Uint8Array,
  peer: Peer,
  use: { readonly blocks: BlockStoreView; readonly peers: PeersPort; readonly emit: EmitSyncEvent },
): void {
  const found = use.blocks.has(hash);
  // Read when its turn comes: a peer may request a hundred blocks at once.
  if (found) use.peers.stream(peer, "BlockMessage", () => use.blocks.bytes(hash));
  use.emit({ type: "blockRequestServed", hash, peer, found });
}

/**
 * Announces that a block is here, if it is in the DAG; a block that merely waits does not count.
 *
 * @spec 40 §2 (HasBlockRequest)
 */
export async function serveHasBlockRequest(
  hash: Uint8Array,
  peer: Peer,
  use: { readonly dag: SyncDagView; readonly peers: PeersPort },
): Promise<void> {
  if (use.dag.has(hash)) await use.peers.send(peer, "HasBlock", encodePacket("HasBlock", { hash }));
}

/** Maximum number of tips in an answer; the valid ones come first. Any key can sign blocks, each a latest message. */
const maxTips = 1_000;
const tipsAtOnce = 32;

/**
 * Sends the hash of each latest message once to the requesting peer, and those of blocks that prove unpunished
 * offences.
 *
 * @spec 40 §2 (ForkChoiceTipRequest), §16.5
 */
export async function serveForkChoiceTipRequest(
  peer: Peer,
  use: { readonly dag: SyncDagView; readonly peers: PeersPort; readonly emit: EmitSyncEvent },
): Promise<void> {
  const tips = new Map<string, Uint8Array>();
  for (const hash of use.dag.unpunishedProofs()) tips.set(hashKey(hash), hash);
  for (const hash of use.dag.latestMessages()) tips.set(hashKey(hash), hash);
  const hashes = [...tips.values()].slice(0, maxTips);
  for (let at = 0; at < hashes.length; at += tipsAtOnce)
    await Promise.all(
      hashes
        .slice(at, at + tipsAtOnce)
        .map((hash) => use.peers.send(peer, "HasBlock", encodePacket("HasBlock", { hash }))),
    );
  use.emit({ type: "tipsServed", tips: hashes, peer });
}
