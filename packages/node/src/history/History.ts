import type { Chain, ChainEvent } from "@vedette/chain";
import type { Store } from "@vedette/store";
import type { BlockQueries } from "../query/BlockQueries.js";
import { HistoryQueries } from "../query/HistoryQueries.js";
import type { QueryReaders } from "../thread/ReaderPool.js";
import { type HistoryEvent, HistoryFollower } from "./HistoryFollower.js";
import { HistoryIndex } from "./HistoryIndex.js";

/** What a history belongs to. */
export interface HistoryOptions {
  /** Has the tables of the chain environment. */
  readonly store: Store;
  readonly chain: Pick<Chain, "dag" | "blocks">;
  readonly blocks: BlockQueries;
  readonly readers: QueryReaders;
  readonly emit?: (event: HistoryEvent) => void;
}

/** The history of accounts: its index, who keeps it up to date, and the answers that are made from it. */
export class History {
  readonly queries: HistoryQueries;
  readonly #follower: HistoryFollower;

  constructor({ store, chain, blocks, readers, emit }: HistoryOptions) {
    const index = new HistoryIndex(store);
    const { dag } = chain;
    this.#follower = new HistoryFollower({
      ...{ index, dag, readers },
      findBytes: (hash) => chain.blocks.findBytes(hash),
      ...(emit === undefined ? {} : { emit }),
    });
    this.queries = new HistoryQueries({ dag, blocks, store, index, progress: () => this.#follower.progress() });
  }

  /** Must be told of every block that is added. */
  onChainEvent(event: ChainEvent): void {
    this.#follower.onChainEvent(event);
  }

  /** Keeps the index up to date until the signal. */
  run(signal: AbortSignal): Promise<void> {
    return this.#follower.run(signal);
  }
}
