import { equalBytes } from "@vedette/crypto";
import { type Block, encodePacket, hashBlock } from "@vedette/protocol";
import { SyncError } from "../SyncError.js";
import type { BlockFetching } from "./fetchApprovedBlocks.js";
import { IdleTimer } from "./IdleTimer.js";

/** Times that a block is asked for before it counts as lost; the pauses grow to two minutes. */
const maxRequests = 8;

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
  let block = from;
  for (let parent = block.parents[0]; parent !== undefined; parent = block.parents[0]) {
    block = use.blocks.get(parent) ?? (await fetchBlock(parent, use, signal));
  }
  return block;
}

async function fetchBlock(hash: Uint8Array, use: BlockFetching, signal: AbortSignal): Promise<Block> {
  const content = encodePacket("BlockRequest", { hash });
  const ask = () => void use.peers.broadcast("BlockRequest", content, 1);
  use.received.wantHashes((one) => equalBytes(one, hash));
  let requests = 1;
  ask();
  using timer = new IdleTimer((idleMs, nextMs) => {
    use.emit({ type: "blocksIdle", idleMs, nextMs });
    if (++requests > maxRequests) use.received.nudge();
    else ask();
  });
  for (;;) {
    const message = await use.received.next(signal);
    if (message === undefined && requests > maxRequests) {
      throw new SyncError({ code: "genesisNotFound", reason: "no peer has all blocks" });
    }
    if (message === undefined || !equalBytes(message.block.hash, hash)) continue;
    const { block, peer } = message;
    if (!equalBytes(hashBlock(block, use.dialect), hash)) {
      use.emit({ type: "invalidHashReceived", block, peer });
      continue;
    }
    timer.activity();
    use.blocks.put(block);
    use.emit({ type: "joinBlockReceived", block, peer });
    return block;
  }
}
