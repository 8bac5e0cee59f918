import type { Peer } from "@vedette/network";
import { encodePacket } from "@vedette/protocol";
import type { DagView } from "../ports/ChainPort.js";
import type { PeersPort } from "../ports/PeersPort.js";

/**
 * Says that a block is here, if it is in the DAG; a block that merely waits does not count.
 *
 * @spec 40 §2 (HasBlockRequest)
 */
export async function serveHasBlockRequest(
  hash: Uint8Array,
  peer: Peer,
  use: { readonly dag: DagView; readonly peers: PeersPort },
): Promise<void> {
  if (use.dag.has(hash)) await use.peers.send(peer, "HasBlock", encodePacket("HasBlock", { hash }));
}
