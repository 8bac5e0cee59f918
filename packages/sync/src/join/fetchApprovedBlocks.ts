import { bindsReferences } from "@vedette/chain";
import { equalBytes } from "@vedette/crypto";
import type { Peer } from "@vedette/network";
import { type Block, type Dialect, hashBlock } from "@vedette/protocol";
import type { BlockStoreView } from "../ports/ChainPort.js";
import type { PeersPort } from "../ports/PeersPort.js";
import type { EmitSyncEvent } from "../SyncEvent.js";
import type { Timers } from "../Timers.js";
import { BlockRequester, type FetchedBlock } from "./BlockRequester.js";
import { BlockSources } from "./BlockSources.js";
import type { BlockMailbox } from "./Mailbox.js";

/** What the fetching of blocks needs. @spec 40 §3.8 */
export interface BlockFetching {
  readonly peers: PeersPort;
  readonly bootstrap: Peer;
  readonly blocks: BlockStoreView;
  readonly received: BlockMailbox;
  readonly dialect: Dialect;
  readonly emit: EmitSyncEvent;
  readonly nowMs: () => number;
  readonly timers: Timers;
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
  await use.blocks.prepare(approved);
  use.blocks.put(approved);
  use.received.wantHashes((hash) => requester.isRequested(hash));
  using sources = new BlockSources(use);
  ask(requester, use, sources);
  while (!requester.isDone) {
    const message = await use.received.next(signal);
    if (message === undefined || !requester.isRequested(message.block.hash)) continue;
    const { block, peer } = message;
    if (!sources.wasAsked(block.hash, peer)) continue;
    // A block under a wrong hash, or with justifications of somebody else's, is dropped, and asked for again when
    // nothing else comes (not so in the reference).
    if (block.number > 0n && !isOfItsCreator(block, approved, use)) {
      use.emit({ type: "invalidHashReceived", block, peer });
      sources.distrust(block.hash, peer);
      continue;
    }
    sources.received(block.hash, peer);
    if (!use.blocks.has(block.hash)) {
      await use.blocks.prepare(block);
      use.blocks.put(block);
    }
    take(requester, use, block, peer);
    ask(requester, use, sources);
  }
  return requester.fetched;
}

function isOfItsCreator(block: Block, approved: Block, { dialect }: BlockFetching): boolean {
  return equalBytes(hashBlock(block, dialect), block.hash) && bindsReferences(approved, block);
}

/** Asks for what is wanted now; what is stored already is taken from there. */
function ask(requester: BlockRequester, use: BlockFetching, sources: BlockSources): void {
  for (let hashes = requester.next(); hashes.length > 0; hashes = requester.next()) {
    for (const hash of hashes) {
      const stored = use.blocks.get(hash);
      if (stored !== undefined) take(requester, use, stored, undefined);
      else sources.ask(hash);
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
