import type { DagView } from "@vedette/chain";
import { dropOldest } from "@vedette/errors";

const maxPeers = 1_024;
/** Blocks of a peer that are not in the DAG yet. */
const maxWaiting = 8;

interface NamedBlocks {
  height: bigint | undefined;
  /** Hashes of blocks that have not been looked up with success, the oldest first. */
  waiting: Uint8Array[];
}

/**
 * How high the blocks are that each peer has named or sent. Only valid blocks of the own DAG count: any peer can make
 * up hashes, and any key can sign a block with any height.
 */
export class PeerHeights {
  readonly #peers = new Map<string, NamedBlocks>();

  /** Records that a peer named a block, or sent it. */
  named(peerId: string, hash: Uint8Array): void {
    const of = this.#peers.get(peerId) ?? { height: undefined, waiting: [] };
    // The most recent peer is last; the first one is dropped.
    this.#peers.delete(peerId);
    this.#peers.set(peerId, of);
    of.waiting = [...of.waiting.slice(1 - maxWaiting), hash];
    dropOldest(this.#peers, maxPeers);
  }

  /** The height of the highest block; `undefined` if the peer has named none that is in the DAG. */
  heightOf(peerId: string, dag: Pick<DagView, "find" | "isInvalid">): bigint | undefined {
    const of = this.#peers.get(peerId);
    if (of === undefined) return undefined;
    of.waiting = of.waiting.filter((hash) => {
      const number = dag.find(hash)?.number;
      if (number === undefined) return true;
      if (!dag.isInvalid(hash) && number > (of.height ?? -1n)) of.height = number;
      return false;
    });
    return of.height;
  }
}
