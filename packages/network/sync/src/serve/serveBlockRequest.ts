import type { Peer } from "@vedette/network";
import type { BlockStoreView } from "../ports/ChainPort.js";
import type { PeersPort } from "../ports/PeersPort.js";
import type { EmitSyncEvent } from "../SyncEvent.js";

/**
 * Streams a stored block, validated or not, to the peer that asks for it; silence where there is none.
 *
 * @spec 40 §2 (BlockRequest)
 */
export function serveBlockRequest(
  hash: Uint8Array,
  peer: Peer,
  use: { readonly blocks: BlockStoreView; readonly peers: PeersPort; readonly emit: EmitSyncEvent },
): void {
  const found = use.blocks.has(hash);
  // Read when its turn comes: a peer may ask for a hundred blocks at once.
  if (found) use.peers.stream(peer, "BlockMessage", () => use.blocks.bytes(hash));
  use.emit({ type: "blockRequestServed", hash, peer, found });
}
