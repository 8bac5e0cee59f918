import type { BlockStoreView, SyncDagView } from "../ports/ChainPort.js";
import type { Timers } from "../Timers.js";
import type { BlockBuffer } from "./BlockBuffer.js";
import { CyclicDependencyFinder } from "./CyclicDependencyFinder.js";

/** The sources of the search, and the action on doubted blocks. */
export interface CircleDoubtOptions {
  readonly blocks: Pick<BlockStoreView, "get">;
  readonly dag: Pick<SyncDagView, "changes">;
  readonly buffer: BlockBuffer;
  readonly timers: Pick<Timers, "yieldNow">;
  /** Nothing is being judged, nor about to be. */
  readonly isIdle: () => boolean;
  /** Another peer's copy of a block is to take the place of the stored one. */
  readonly fetchAnew: (hash: Uint8Array) => void;
}

/** Steps of the search between two turns of the event loop. */
const stepsOfTurn = 200;
/** Most turns of a search where nothing has been judged since the last one; otherwise one. */
const turnsWhenStill = 200;
/** Steps of such a search for each block that waits: more of them would go the same ways again. */
const stepsOfBlock = 64;
/** Blocks of a circle that are fetched anew at a time. */
const maxDoubted = 64;

/**
 * Resolves circles of blocks that wait for one another. In a circle, a reference from a block to one that is not lower
 * was changed by a peer. The block with that reference is fetched from another peer.
 *
 * @spec 40 §4.8
 */
export class CyclicDependencyResolver {
  readonly #use: CircleDoubtOptions;
  readonly #circles: CyclicDependencyFinder;
  #isSeeking = false;
  /** The DAG's count of changes at the last search. */
  #changes = -1;

  constructor(use: CircleDoubtOptions) {
    this.#use = use;
    this.#circles = new CyclicDependencyFinder(use.buffer);
  }

  /** Continues the search for some steps; for many if the node is stalled. */
  async seek(): Promise<void> {
    const { dag, buffer, timers, isIdle } = this.#use;
    if (this.#isSeeking) return;
    this.#isSeeking = true;
    const isStill = isIdle() && dag.changes() === this.#changes;
    this.#changes = dag.changes();
    const turns = isStill ? Math.min(turnsWhenStill, Math.ceil((buffer.size * stepsOfBlock) / stepsOfTurn)) : 1;
    try {
      for (let turn = 0; turn < turns; turn += 1) {
        const found = this.#circles.seek(stepsOfTurn);
        if (found !== undefined) return await this.#doubtWithin(found);
        await timers.yieldNow();
      }
    } finally {
      this.#isSeeking = false;
    }
  }

  async #doubtWithin({ block, length }: { readonly block: Uint8Array; readonly length: number }): Promise<void> {
    const { blocks, timers, fetchAnew } = this.#use;
    const suspected: Uint8Array[] = [];
    let looked = 0;
    for (const { block: one, next } of this.#circles.circle(block, length)) {
      const [from, to] = [blocks.get(one), blocks.get(next)];
      if (from === undefined || to === undefined || to.number >= from.number) suspected.push(one);
      if (suspected.length >= maxDoubted) break;
      looked += 1;
      if (looked % stepsOfTurn === 0) await timers.yieldNow();
    }
    for (const one of suspected) fetchAnew(one);
  }
}
