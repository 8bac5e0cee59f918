import { equalBytes } from "@vedette/crypto";
import type { Peer } from "@vedette/network";
import { type Block, type Dialect, encodePacket, hashBlock, hashKey } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import type { BlockStoreView } from "../ports/ChainPort.js";
import type { PeersPort } from "../ports/PeersPort.js";
import type { EmitSyncEvent } from "../SyncEvent.js";

/** The parts with which missing blocks are fetched. */
export interface MissingBlocksOptions {
  /** Has the tables `missingBlocks` and `blocks`. */
  readonly store: Store;
  readonly blocks: BlockStoreView;
  readonly peers: PeersPort;
  readonly dialect: Dialect;
  readonly emit: EmitSyncEvent;
}

/** The number of blocks that are requested at a time. */
const requestedAtOnce = 16;

/**
 * Fetches blocks that were judged long ago and have damaged bytes on disk: their hashes are in a table, they are
 * requested from peers, and a block with the hash is stored again.
 *
 * @spec 40 §6.1
 */
export class MissingBlocks {
  readonly #use: MissingBlocksOptions;
  readonly #missing = new Map<string, Uint8Array>();
  /** The index of the next one to request. */
  #next = 0;

  constructor(use: MissingBlocksOptions) {
    this.#use = use;
    this.#load();
  }

  isWanted(hash: Uint8Array): boolean {
    return this.#missing.has(hashKey(hash));
  }

  /** Requests some from a peer; to be called now and then. */
  ask(): void {
    if (this.#use.store.table("missingBlocks").count() !== this.#missing.size) this.#load();
    const [peer] = this.#missing.size > 0 ? this.#use.peers.randomPeers(1) : [];
    if (peer === undefined) return;
    const all = [...this.#missing.values()];
    for (let asked = 0; asked < Math.min(requestedAtOnce, all.length); asked += 1, this.#next += 1) {
      const hash = all[this.#next % all.length]!;
      // A peer that cannot be reached is as one that does not answer.
      this.#use.peers.send(peer, "BlockRequest", encodePacket("BlockRequest", { hash })).catch(() => {});
    }
  }

  /** Takes a block that came. @returns whether it is one of these, and needs no more attention */
  async take(block: Block, peer: Peer): Promise<boolean> {
    const { store, blocks, dialect, emit } = this.#use;
    const { hash } = block;
    if (!this.isWanted(hash)) return false;
    if (!equalBytes(hashBlock(block, dialect), hash)) {
      emit({ type: "invalidHashReceived", block, peer });
      return true;
    }
    await blocks.prepare(block);
    store.together(() => {
      store.write((tables) => {
        tables("blocks").delete(hash);
        tables("missingBlocks").delete(hash);
      });
      blocks.put(block);
    });
    this.#missing.delete(hashKey(hash));
    emit({ type: "blockRestored", block, peer });
    return true;
  }

  #load(): void {
    this.#missing.clear();
    for (const [hash] of this.#use.store.table("missingBlocks").range()) this.#missing.set(hashKey(hash), hash);
  }
}
