import { bindsReferences } from "@vedette/chain";
import { equalBytes } from "@vedette/crypto";
import type { Peer } from "@vedette/network";
import { type Block, type Dialect, hashBlock } from "@vedette/protocol";
import { BlockCopyOrigins } from "../blocks/BlockCopyOrigins.js";
import type { BlockStoreView } from "../ports/ChainPort.js";
import type { PeersPort } from "../ports/PeersPort.js";
import type { EmitSyncEvent } from "../SyncEvent.js";
import type { Timers } from "../Timers.js";
import { BlockRequester, type FetchedBlock } from "./BlockRequester.js";
import { JoinPeerSelector } from "./JoinPeerSelector.js";
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

/** After so many questions in vain, and at each further one, the copies are doubted that name a block. */
const questionsBeforeDoubt = 4;

/**
 * Fetches and stores the blocks that belong to an approved one: its validators' latest, and 50 heights below.
 *
 * Where nothing binds justifications, a peer may have changed those of a copy that it gave, so that they name what does
 * not exist: when nobody has a block, the copies that justify it are asked for anew, of the peers that gave them last.
 *
 * @param lowest as {@link BlockRequester} takes it
 * @spec 40 §3.8
 * @returns the blocks for the DAG, the highest first; among them the approved block
 */
export async function fetchApprovedBlocks(
  approved: Block,
  use: BlockFetching,
  signal: AbortSignal,
  lowest?: bigint,
): Promise<readonly FetchedBlock[]> {
  let requester = new BlockRequester(approved, lowest);
  const copies = new BlockCopyOrigins();
  await use.blocks.prepare(approved);
  use.blocks.put(approved);
  use.received.wantHashes((hash) => requester.isRequested(hash));
  const inVain: Uint8Array[] = [];
  const onRequestedAgain = (questions: number, hash: Uint8Array) => {
    if (questions < questionsBeforeDoubt) return;
    inVain.push(hash);
    use.received.nudge();
  };
  using sources = new JoinPeerSelector({ ...use, onRequestedAgain });
  const queryNow = () => {
    ask(requester, use, copies, sources);
    if (requester.isDone) use.received.nudge();
  };
  queryNow();
  while (!requester.isDone) {
    const message = await use.received.next(signal);
    const doubted = inVain.splice(0).flatMap((hash) => requester.justifiedBy(hash));
    if (doubted.length > 0) {
      for (const hash of doubted) copies.doubt(hash);
      sources.beginAnew(doubted.flatMap((hash) => copies.senderOf(hash) ?? []));
      requester = new BlockRequester(approved, lowest);
      queryNow();
    }
    if (message === undefined || !requester.isRequested(message.block.hash)) continue;
    const { block, peer } = message;
    if (!sources.wasRequested(block.hash, peer)) continue;
    // A block under a wrong hash, or with justifications of somebody else's, is dropped, and asked for again when
    // nothing else comes (not so in the reference).
    if (block.number > 0n && !isOfItsCreator(block, approved, use)) {
      use.emit({ type: "invalidHashReceived", block, peer });
      sources.distrust(block.hash, peer);
      continue;
    }
    sources.received(block.hash, peer);
    if (!use.blocks.has(block.hash) || copies.isDoubted(block.hash)) {
      await use.blocks.prepare(block);
      use.blocks.put(block);
      copies.received(block.hash, peer.id);
    }
    take(requester, use, block, peer);
    queryNow();
  }
  return requester.fetched;
}

function isOfItsCreator(block: Block, approved: Block, { dialect }: BlockFetching): boolean {
  return equalBytes(hashBlock(block, dialect), block.hash) && bindsReferences(approved, block);
}

/** Asks for what is wanted now; what is stored already and not doubted is taken from there. */
function ask(requester: BlockRequester, use: BlockFetching, copies: BlockCopyOrigins, sources: JoinPeerSelector): void {
  for (let hashes = requester.next(); hashes.length > 0; hashes = requester.next()) {
    for (const hash of hashes) {
      const stored = copies.isDoubted(hash) ? undefined : use.blocks.get(hash);
      if (stored !== undefined) take(requester, use, stored, undefined);
      else sources.ask(hash);
    }
  }
}

function take(requester: BlockRequester, use: BlockFetching, block: Block, peer: Peer | undefined): void {
  const reception = requester.receive(block);
  if (reception === undefined) return;
  use.emit({ type: "joinBlockReceived", block, peer });
  if (reception.lowerBound !== undefined) {
    use.emit({ type: "latestBlocksDownloaded", lowerBound: reception.lowerBound });
  }
}
