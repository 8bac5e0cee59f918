import { BlockLineage, type Chain, type ChainEvent } from "@vedette/chain";
import type { QueryReaders, TakeTurn } from "@vedette/executor/threads";
import type { Store } from "@vedette/store";
import type { Timers } from "@vedette/sync";
import type { BlockQueries } from "../block/BlockQueries.js";
import { type AccountEvent, AccountFollower, type AccountProgress } from "./AccountFollower.js";
import { AccountIndex } from "./AccountIndex.js";
import { AccountQueries } from "./AccountQueries.js";

/** The options of a history. */
export interface AccountsOptions {
  /** Has the tables of the chain environment. */
  readonly store: Store;
  readonly chain: Pick<Chain, "dag" | "blocks" | "finalStatusOf" | "reporting">;
  readonly blocks: BlockQueries;
  readonly readers: QueryReaders;
  readonly emit?: (event: AccountEvent) => void;
  /** Whether there is room on the disk; left out: there is. */
  readonly mayWrite?: (() => boolean) | undefined;
  /** Where blocks are held before they come to disk: does a work when none is; left out: none ever is. */
  readonly onDisk?: TakeTurn | undefined;
  /** The machine's, unless given. */
  readonly timers?: Timers | undefined;
}

/** The history of accounts: its index, what keeps it up to date, and the answers that are made from it. */
export class Accounts {
  readonly queries: AccountQueries;
  readonly #follower: AccountFollower;

  constructor({ store, chain, blocks, readers, emit, mayWrite, onDisk, timers }: AccountsOptions) {
    const index = new AccountIndex(store);
    const { dag, reporting, finalStatusOf } = chain;
    this.#follower = new AccountFollower({
      ...{ index, dag, reporting, readers },
      findBytes: (hash) => chain.blocks.findBytes(hash),
      ...{ emit, mayWrite, onDisk, timers },
    });
    const progress = () => this.progress();
    const { form } = reporting;
    const facts = new BlockLineage(chain.blocks);
    this.queries = new AccountQueries({ dag, blocks, store, index, progress, finalStatusOf, facts, form });
  }

  progress(): AccountProgress {
    return this.#follower.progress();
  }

  /** Receives every event of the chain; new blocks are added to the history. */
  onChainEvent(event: ChainEvent): void {
    this.#follower.onChainEvent(event);
  }

  /** Keeps the index up to date until the signal. */
  run(signal: AbortSignal): Promise<void> {
    return this.#follower.run(signal);
  }
}
