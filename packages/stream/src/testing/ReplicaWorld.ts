import { Chain, type ChainEvent, statedExecution } from "@vedette/chain";
import { equalBytes } from "@vedette/crypto";
import { EventLog } from "@vedette/events";
import { executorHere } from "@vedette/node/testing";
import { type Bond, rnodeScala } from "@vedette/protocol";
import { MemoryStore, type Store, tablesOf } from "@vedette/store";
import { StateStore } from "@vedette/tuplespace";
import { StateExecutor } from "@vedette/workers";
import { Replica, type ReplicaEvent, type ReplicaOptions } from "../follow/Replica.js";
import { ReplicaChain } from "../follow/ReplicaChain.js";
import { endOfMessages, type MemorySource } from "./MemorySource.js";

/** What a replica has on its disk, and the program that may be ended on it at any time. */
export class ReplicaWorld {
  readonly chainStore = new MemoryStore(tablesOf("chain"));
  readonly stateStore = new MemoryStore(tablesOf("state"));
  readonly states = new StateStore(this.stateStore);
  readonly told: ChainEvent[] = [];

  /** What a program has that begins now. @param store in the place of the one for blocks */
  open(change: Partial<ReplicaOptions> & { readonly store?: Store; readonly beginning?: string } = {}) {
    const store = change.store ?? this.chainStore;
    const log = new EventLog({ store, newId: () => new Uint8Array(8), hasOneParent: true });
    let known: { readonly root: Uint8Array; readonly bonds: readonly Bond[] } | undefined;
    const putBonds = (root: Uint8Array, bonds: readonly Bond[]) => {
      known = { root, bonds };
    };
    const chain = new Chain({
      store,
      rules: {
        ...{ dialect: rnodeScala, shardName: "root", maximumParents: 1, maximumParentDepth: undefined },
        ...{ minimumPhloPrice: 0n, faultToleranceThreshold: 0, finalizationRate: 1 },
        emptyStateHash: new StateExecutor(this.stateStore).makeEmptyState(),
      },
      execution: statedExecution((root) =>
        known !== undefined && equalBytes(known.root, root) ? known.bonds : undefined,
      ),
      nowMs: () => Number.MAX_SAFE_INTEGER,
      emit: (event) => void this.told.push(event),
      record: log.record,
    });
    log.open(chain.dag, 0.1);
    const executor = executorHere(new StateExecutor(this.stateStore));
    return { chain, log, replica: new ReplicaChain({ chain, putBonds, store, executor, beginning: change.beginning }) };
  }

  /** Follows until all was read, or something was told that ends it. @returns what was told */
  async follow(
    source: MemorySource,
    change: Partial<ReplicaOptions> & {
      readonly store?: Store;
      readonly beginning?: string;
      readonly until?: (event: ReplicaEvent) => boolean;
    } = {},
  ): Promise<ReplicaEvent[]> {
    const events: ReplicaEvent[] = [];
    const controller = new AbortController();
    const { replica } = this.open(change);
    const emit = (event: ReplicaEvent) => {
      events.push(event);
      const isEnd = event.type === "failed" && event.error.message.endsWith(endOfMessages);
      if (isEnd || change.until?.(event) === true) controller.abort();
    };
    const options = { network: "test", nowMs: () => 0, firstWaitMs: 1, ...change };
    await new Replica({ ...options, source, chain: replica, emit }).run(controller.signal);
    return events;
  }
}
