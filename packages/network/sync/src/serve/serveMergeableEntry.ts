import type { Peer } from "@vedette/network";
import { encodePacket, type PacketCodec } from "@vedette/protocol";
import type { BlockStoreView } from "../ports/ChainPort.js";
import type { NumberEntryPort } from "../ports/FloorPort.js";
import type { PeersPort } from "../ports/PeersPort.js";
import type { EmitSyncEvent } from "../SyncEvent.js";

/** The sources of an answer on f1r3node's networks. */
export interface MergeableEntryContext {
  readonly peers: PeersPort;
  readonly packetForm: PacketCodec;
  readonly emit: EmitSyncEvent;
}

/**
 * Sends what the deploys of a block did to number channels: nothing where the block was not executed here, and no
 * answer where the block is not here at all.
 *
 * @spec 61 §16.2 (MergeableEntryRequest)
 */
export function serveMergeableEntry(
  blockHash: Uint8Array,
  peer: Peer,
  use: MergeableEntryContext & { readonly blocks: BlockStoreView; readonly entries: NumberEntryPort },
): void {
  const { blocks, entries, peers, packetForm, emit } = use;
  if (!blocks.has(blockHash)) return;
  // Read when its turn comes: a peer requests those of many blocks at once.
  peers.stream(peer, "MergeableEntryResponse", async () => {
    const block = blocks.get(blockHash);
    if (block === undefined) return undefined;
    const serializedEntry = (await entries.find(block)) ?? new Uint8Array(0);
    emit({ type: "entryServed", hash: blockHash, peer, found: serializedEntry.length > 0 });
    return encodePacket("MergeableEntryResponse", { blockHash, serializedEntry }, packetForm);
  });
}
