import { equalBytes } from "@vedette/crypto";
import { type Block, hashBlock } from "@vedette/protocol";
import { SyncError } from "../SyncError.js";
import type { BlockFetching } from "./fetchApprovedBlocks.js";
import { JoinPeerSelector } from "./JoinPeerSelector.js";

/** The number of requests for a block before it counts as lost; the pauses grow to two minutes. */
const maxRequests = 10;

/**
 * Finds genesis from a later block: fetches and stores main parents down to the block that has none.
 *
 * Our own addition, for nodes that replay everything though their bootstrap began later. Each block is named by the
 * hash in its child, so the genesis found is the approved block's.
 *
 * @spec 40 §3.7
 * @throws {SyncError} `genesisNotFound` where no peer has a block any more
 */
export async function fetchGenesis(from: Block, use: BlockFetching, signal: AbortSignal): Promise<Block> {
  const search = { isLost: false };
  const onRequestedAgain = (requests: number) => {
    if (requests <= maxRequests) return;
    search.isLost = true;
    use.received.nudge();
  };
  using sources = new JoinPeerSelector({ ...use, onRequestedAgain });
  const fetch = async (hash: Uint8Array): Promise<Block> => {
    use.received.wantHashes((one) => equalBytes(one, hash));
    sources.ask(hash);
    for (;;) {
      const message = await use.received.next(signal);
      if (search.isLost) throw new SyncError({ code: "genesisNotFound", reason: "no peer has all blocks" });
      if (message === undefined || !equalBytes(message.block.hash, hash)) continue;
      const { block, peer } = message;
      if (!sources.wasRequested(hash, peer)) continue;
      if (!equalBytes(hashBlock(block, use.dialect), hash)) {
        use.emit({ type: "invalidHashReceived", block, peer });
        sources.distrust(hash, peer);
        continue;
      }
      sources.received(hash, peer);
      use.blocks.put(block);
      use.emit({ type: "joinBlockReceived", block, peer });
      return block;
    }
  };
  let block = from;
  for (let parent = block.parents[0]; parent !== undefined; parent = block.parents[0])
    block = use.blocks.get(parent) ?? (await fetch(parent));
  return block;
}
