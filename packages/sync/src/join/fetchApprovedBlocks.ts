import { equalBytes } from "@vedette/crypto";
import type { Peer } from "@vedette/network";
import { type Block, type Dialect, encodePacket, hashBlock } from "@vedette/protocol";
import type { BlockStoreView } from "../ports/ChainPort.js";
import type { PeersPort } from "../ports/PeersPort.js";
import type { EmitSyncEvent } from "../SyncEvent.js";
import { BlockRequester, type FetchedBlock } from "./BlockRequester.js";
import { IdleTimer } from "./IdleTimer.js";
import type { BlockMailbox } from "./Mailbox.js";

/** What the fetching of blocks needs. @spec 40 §3.8 */
export interface BlockFetching {
  readonly peers: PeersPort;
  readonly blocks: BlockStoreView;
  readonly received: BlockMailbox;
  readonly dialect: Dialect;
  readonly emit: EmitSyncEvent;
}

/**
 * Fetches and stores the blocks that belong to an approved one: its validators' latest, and 50 heights below.
 *
 * @spec 40 §3.8
 * @returns the blocks for the DAG, the highest first; among them the approved block
 */
export async function fetchApprovedBlocks(
  approved: Block,
  use: BlockFetching,
  signal: AbortSignal,
): Promise<readonly FetchedBlock[]> {
  const requester = new BlockRequester(approved);
  use.blocks.put(approved);
  use.received.wantHashes((hash) => requester.isRequested(hash));
  using timer = new IdleTimer((idleMs, nextMs) => {
    use.emit({ type: "blocksIdle", idleMs, nextMs });
    ask(requester, use, true);
  });
  ask(requester, use, false);
  while (!requester.isDone) {
    const message = await use.received.next(signal);
    if (message === undefined || !requester.isRequested(message.block.hash)) continue;
    const { block, peer } = message;
    // A block under a wrong hash is dropped, and asked for again when nothing else comes (not so in the reference).
    if (block.number > 0n && !equalBytes(hashBlock(block, use.dialect), block.hash)) {
      use.emit({ type: "invalidHashReceived", block, peer });
      continue;
    }
    timer.activity();
    if (!use.blocks.has(block.hash)) use.blocks.put(block);
    take(requester, use, block, peer);
    ask(requester, use, false);
  }
  return requester.fetched;
}

/** Asks one random peer for each block; what is stored already is taken from there. */
function ask(requester: BlockRequester, use: BlockFetching, again: boolean): void {
  for (let hashes = requester.next(again); hashes.length > 0; hashes = requester.next(false)) {
    for (const hash of hashes) {
      const stored = use.blocks.get(hash);
      if (stored !== undefined) take(requester, use, stored, undefined);
      else void use.peers.broadcast("BlockRequest", encodePacket("BlockRequest", { hash }), 1);
    }
  }
  if (requester.isDone) use.received.nudge();
}

function take(requester: BlockRequester, use: BlockFetching, block: Block, peer: Peer | undefined): void {
  const reception = requester.receive(block);
  if (reception === undefined) return;
  use.emit({ type: "joinBlockReceived", block, peer });
  if (reception.lowerBound !== undefined) {
    use.emit({ type: "latestBlocksDownloaded", lowerBound: reception.lowerBound });
  }
}
