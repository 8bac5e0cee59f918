import { Chain, type ChainEvent, ChainWriteBatch, statedExecution } from "@vedette/chain";
import { equalBytes } from "@vedette/crypto";
import { RnodeExecutor } from "@vedette/executor";
import { executorHere } from "@vedette/executor/testing";
import { type Bond, rnode } from "@vedette/protocol";
import { EntryNames, EventLog } from "@vedette/queries/events";
import { MemoryStore, type Store, tablesOf } from "@vedette/store";
import { StateStore } from "@vedette/tuplespace";
import { Replica, type ReplicaEvent, type ReplicaOptions } from "../follow/Replica.js";
import { ReplicaChain } from "../follow/ReplicaChain.js";
import { endOfMessages, type MemorySource } from "./MemorySource.js";

/** The content of a replica's disk, and the program that may be ended on it at any time. */
export class ReplicaWorld {
  readonly chainStore = new MemoryStore(tablesOf("chain"));
  readonly stateStore = new MemoryStore(tablesOf("state"));
  readonly states = new StateStore(this.stateStore);
  readonly chainEvents: ChainEvent[] = [];
  /** The chain of the program that was begun last. */
  chain: Chain | undefined;
  log: EventLog | undefined;
  /** Called with each event, before it is among the chain's events. */
  onReported: (event: ChainEvent) => void = () => {};

  /** Returns the parts of a program that begins now. @param store in the place of the one for blocks */
  open(change: Partial<ReplicaOptions> & { readonly store?: Store; readonly beginning?: string } = {}) {
    const store = change.store ?? this.chainStore;
    const names = new EntryNames(this.chainStore);
    const log = new EventLog({ store, names, newId: () => new Uint8Array(8), hasOneParent: true });
    this.log = log;
    let known: { readonly root: Uint8Array; readonly bonds: readonly Bond[] } | undefined;
    const putBonds = (root: Uint8Array, bonds: readonly Bond[]) => {
      known = { root, bonds };
    };
    const emit = (event: ChainEvent) => {
      this.onReported(event);
      this.chainEvents.push(event);
    };
    const held = new ChainWriteBatch({ store, publish: emit, lost: () => chain.reload() });
    const chain: Chain = new Chain({
      ...{ store: held.store, yieldNow: held.yieldNow, emit: held.emit },
      rules: {
        ...{ dialect: rnode, shardName: "root", maximumParents: 1, maximumParentDepth: undefined },
        ...{ minimumPhloPrice: 0n, faultToleranceThreshold: 0, finalizationRate: 1 },
        emptyStateHash: new RnodeExecutor(this.stateStore).makeEmptyState(),
      },
      execution: statedExecution((root) =>
        known !== undefined && equalBytes(known.root, root) ? known.bonds : undefined,
      ),
      nowMs: () => Number.MAX_SAFE_INTEGER,
      record: log.record,
    });
    this.chain = chain;
    log.open(chain.dag, 0.1);
    const executor = executorHere(new RnodeExecutor(this.stateStore));
    const replica = new ReplicaChain({
      ...{ chain, putBonds, store: held.store, executor, names, beginning: change.beginning },
      together: (work) => held.together(work),
    });
    return { chain, log, replica };
  }

  /** Follows until all was read, or an event ends it. @returns the events */
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
