import type { Peer } from "@vedette/network";
import type { ApprovedBlock, FloorCacheResponse, MergeableEntryResponse } from "@vedette/protocol";
import type { ApprovedBlockPort } from "../ports/ChainPort.js";
import type { BlockFetching } from "./fetchApprovedBlocks.js";
import type { StateFetching } from "./fetchState.js";
import type { Mailbox } from "./Mailbox.js";

/** An answer of a peer that only f1r3node networks know. */
export interface ReceivedAnswer<Message> {
  readonly message: Message;
  readonly peer: Peer;
}

/** The parts that a way of joining works with. */
export interface JoinOptions {
  readonly blocks: BlockFetching;
  readonly states: StateFetching;
  readonly approved: Pick<ApprovedBlockPort, "adoptImported">;
  readonly floors: Mailbox<ReceivedAnswer<FloorCacheResponse>>;
  readonly entries: Mailbox<ReceivedAnswer<MergeableEntryResponse>>;
}

/**
 * How a node of a network begins at the last finalized state.
 *
 * @spec 40 §3.7, 61 §16.4
 */
export interface JoinRules {
  /**
   * Fetches all that belongs to an approved block, and begins with it: in one transaction, the last thing that is done. A
   * node that is killed before begins anew, with what it has fetched.
   *
   * @throws {SyncError}; the signal's reason
   */
  beginAt(approved: ApprovedBlock, use: JoinOptions, signal: AbortSignal): Promise<void>;
}
