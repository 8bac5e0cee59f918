import { BlockTable, Chain, type ChainEvent, type ChainRules, noteMerge, referenceProposing } from "@vedette/chain";
import {
  approvedBlockOf,
  blockProcessorOf,
  blockStoreOf,
  dagViewOf,
  type ExecutorApi,
  executionOf,
  SpeculativeReplay,
  stateImportOf,
} from "@vedette/executor";
import type { Peer } from "@vedette/network";
import { EngineSupervisor, LowDiskGate, ProposeSyncGate, Proposing } from "@vedette/node";
import { type ApprovedBlock, type Block, type BlockSigner, encodePacket, rnode } from "@vedette/protocol";
import { Accounts, BlockQueries } from "@vedette/queries";
import { EventLog } from "@vedette/queries/events";
import type { Store } from "@vedette/store";
import { Engine, type PeersPort, rnodeJoin, type SyncEvent, type Timers } from "@vedette/sync";
import { exportItems, type StateStore } from "@vedette/tuplespace";
import { type Environment, simulatedLowWaterBytes } from "../disk/SimulatedDisk.js";
import type { SimulatedNetwork } from "../network/SimulatedNetwork.js";
import type { SeededRandom } from "../random/SeededRandom.js";
import type { Owner, VirtualTime } from "../time/VirtualTime.js";
import type { BlockReader } from "./BlockReader.js";
import { delayedExecutor } from "./LateExecutor.js";
import { delayedTransfers } from "./LateTransfers.js";

/** The common facts of all processes of a node. */
export interface NodeFacts {
  readonly name: string;
  readonly peer: Peer;
  /** `undefined` for an observer. */
  readonly key: BlockSigner | undefined;
  readonly bootstrap: Peer | undefined;
  readonly beginning: "importState" | "replayAll";
  readonly slowness: number;
  /** Whether it keeps the index of accounts. */
  readonly hasIndex: boolean;
  /** Is added to the time of all. */
  clockMs: number;
  /** Until then its readers see nothing new. */
  readersLagUntilMs: number;
}

/** A process's view of its disk. */
export type ProcessDisk = Readonly<Record<Environment, Store>> & { readonly freeBytes: () => number };

/** The world that a process lives in. */
export interface SimulationContext {
  readonly time: VirtualTime;
  readonly random: SeededRandom;
  readonly network: SimulatedNetwork;
  readonly rules: ChainRules;
  readonly checkIntervalMs: number;
  readonly synchronyThreshold: number;
  readonly blocks: BlockReader;
  /** Unix milliseconds at which the time begins. */
  readonly beganMs: number;
  readonly executorOf: (store: Store) => ExecutorApi & { readonly state: StateStore };
}

/** Receives what happens in a process. */
export interface ProcessWatch {
  chain(event: ChainEvent): void;
  sync(event: SyncEvent): void;
  /** A block of its own is on disk. */
  made(block: Block): void;
  propose(event: { readonly type: string }): void;
  ended(reason: string): void;
}

/** Changes the messages that a process receives and sends; only liars have one. */
export interface MessageInterceptor {
  peers(port: PeersPort): PeersPort;
  /** @returns whether the node itself receives it */
  receives(from: Peer, typeId: string, content: Uint8Array): boolean;
  /** @returns whether the node announces its block as usual */
  announces(block: Block, port: PeersPort): boolean;
}

/** Blocks that a query lists; none is sent. */
const maxListed = 50;

const honest: MessageInterceptor = { peers: (port) => port, receives: () => true, announces: () => true };

/** One life of a node, from its start to its end: all that a running node has, but for its APIs. */
export class NodeProcess implements Owner {
  readonly name: string;
  readonly peer: Peer;
  readonly slowness: number;
  isAlive = true;
  readonly chain: Chain;
  readonly proposing: Proposing | undefined;
  readonly engine: EngineSupervisor;
  readonly state: StateStore;
  readonly catchUp: ProposeSyncGate;
  readonly log: EventLog;
  readonly accounts: Accounts | undefined;
  /** Resolves when it has ended by itself or was stopped. */
  hasEnded = false;
  readonly #facts: NodeFacts;
  readonly #world: SimulationContext;
  readonly #watch: ProcessWatch;
  readonly #interceptor: MessageInterceptor;
  readonly #stopped = new AbortController();
  readonly #peers: PeersPort;
  readonly #startPeers: () => void;
  readonly #timers: Timers;
  readonly #disk: Readonly<Record<Environment, Store>>;
  readonly #ahead: SpeculativeReplay;

  constructor(
    facts: NodeFacts,
    disk: (process: NodeProcess) => ProcessDisk,
    world: SimulationContext,
    {
      watch,
      interceptor = honest,
    }: { readonly watch: ProcessWatch; readonly interceptor?: MessageInterceptor | undefined },
  ) {
    const { time, random, network, rules } = world;
    [this.#facts, this.#world, this.#watch, this.#interceptor] = [facts, world, watch, interceptor];
    [this.name, this.peer, this.slowness] = [facts.name, facts.peer, facts.slowness];
    this.#timers = time.timersOf(this);
    const port = network.join(this);
    this.#startPeers = () => port.start();
    this.#peers = interceptor.peers(port);
    const opened = disk(this);
    this.#disk = opened;
    const executor = world.executorOf(this.#disk.state);
    this.state = executor.state;
    this.#ahead = new SpeculativeReplay(delayedExecutor(executor, this, { time, random }));
    const store = this.#disk.chain;
    const execution = executionOf(
      this.#ahead.executor,
      new BlockTable(store, { form: rnode.blockForm }),
      (root) => this.engine.value.provideState(root, this.#stopped.signal),
      { onMerge: (block, scope, merged) => noteMerge(store, block, scope, merged) },
    );
    const nowMs = () => this.#nowMs();
    const newId = () => Uint8Array.from({ length: 8 }, () => random.below(256));
    this.log = new EventLog({ store, newId, hasOneParent: rules.maximumParents === 1 });
    this.chain = new Chain({
      ...{ store, rules, execution, nowMs, yieldNow: this.#timers.yieldNow, record: this.log.record },
      emit: (event) => {
        if (!this.isAlive) return;
        this.#watch.chain(event);
        this.proposing?.onChainEvent(event);
        this.accounts?.onChainEvent(event);
      },
    });
    this.log.open(this.chain.dag, rules.faultToleranceThreshold);
    this.accounts = facts.hasIndex ? this.#accountsOf(random) : undefined;
    this.catchUp = new ProposeSyncGate({}, this.#timers);
    this.proposing = facts.key === undefined ? undefined : this.#proposingOf(facts.key, execution);
    const room = new LowDiskGate({
      ...{ lowWaterBytes: simulatedLowWaterBytes, nowMs: () => time.nowMs, timers: this.#timers },
      measure: () => ({ freeBytes: opened.freeBytes() }),
    });
    this.engine = new EngineSupervisor({ create: () => this.#engine(), room, timers: this.#timers });
  }

  /** @param founding the approved block of a founder of the network that has not begun yet */
  async run(founding: ApprovedBlock | undefined): Promise<void> {
    this.#startPeers();
    if (founding !== undefined && this.chain.blocks.approvedBlock() === undefined) {
      const wrong = await this.chain.adoptGenesis(founding);
      if (wrong !== undefined) throw new TypeError(`the first block is not adopted: ${wrong.status}`);
    }
    const { signal } = this.#stopped;
    const ended = new AbortController();
    const whileRunning = AbortSignal.any([signal, ended.signal]);
    const proposing = this.#propose(whileRunning);
    const indexing = this.accounts?.run(whileRunning);
    try {
      await this.engine.run(() => undefined, signal);
    } finally {
      ended.abort();
      await proposing;
      await indexing;
    }
    this.hasEnded = true;
  }

  /** Requests its end. */
  stop(): void {
    this.#stopped.abort();
  }

  /** It ends here and now. */
  crash(): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    this.#watch.ended("crashed");
  }

  async receive(from: Peer, typeId: string, content: Uint8Array): Promise<void> {
    if (this.#interceptor.receives(from, typeId, content)) await this.engine.handlePacket(from, typeId, content);
  }

  async #propose(signal: AbortSignal): Promise<void> {
    if (this.proposing === undefined) return;
    await this.engine.running(signal);
    const { hasProposed } = this.proposing.proposer;
    const peerExpectations = { expectsPeers: true, hasProposed, waitsForPeer: () => undefined };
    await this.catchUp.run(() => this.engine.value.status(), peerExpectations, signal);
    if (!signal.aborted) await this.proposing.run(signal);
  }

  #nowMs(): number {
    return Math.floor(this.#world.beganMs + this.#world.time.nowMs + this.#facts.clockMs);
  }

  #accountsOf(random: SeededRandom): Accounts {
    return new Accounts({
      ...{ store: this.#disk.chain, chain: this.chain, blocks: new BlockQueries(this.chain, maxListed) },
      readers: delayedTransfers(this, {
        ...{ time: this.#world.time, random },
        isBehind: () => this.#world.time.nowMs < this.#facts.readersLagUntilMs,
      }),
      timers: this.#timers,
    });
  }

  #proposingOf(key: BlockSigner, execution: ReturnType<typeof executionOf>): Proposing {
    const { checkIntervalMs, synchronyThreshold, time } = this.#world;
    return new Proposing({
      ...{ chain: this.chain, store: this.#disk.chain, key, forbiddenKeys: [] },
      rules: referenceProposing(execution),
      settings: {
        constraints: { synchronyThreshold, heightThreshold: 1000n },
        autopropose: false,
        heartbeat: { checkIntervalMs, maximumLfbAgeMs: 2 * checkIntervalMs, wakesOnDeploy: true },
      },
      whyNotYet: () => this.catchUp.reason,
      announce: (block) => {
        if (!this.isAlive || !this.#interceptor.announces(block, this.#peers)) return;
        const content = encodePacket("BlockHashMessage", { hash: block.hash, blockCreator: block.sender });
        void this.#peers.broadcast("BlockHashMessage", content);
      },
      emit: (event) => {
        if (!this.isAlive) return;
        if (event.type === "blockCreated") this.#watch.made(event.block);
        this.#watch.propose(event);
      },
      ...{ nowMs: () => this.#nowMs(), monotonicMs: () => time.nowMs, timers: this.#timers },
    });
  }

  #engine(): Engine {
    const { chain, state } = this;
    const { blocks, rules } = this.#world;
    const { beginning, bootstrap } = this.#facts;
    return new Engine({
      ...{ beginning, bootstrap, shardName: rules.shardName, dialect: rnode, join: rnodeJoin },
      modes: { genesisValidator: false, ceremonyMaster: false },
      peers: this.#peers,
      ...{ blocks: blockStoreOf(chain), dag: dagViewOf(chain), approved: approvedBlockOf(chain) },
      validation: blockProcessorOf(chain, this.#ahead, blocks),
      decodePeerBlock: (content) => blocks.read(content),
      store: this.#disk.chain,
      stateImport: stateImportOf(this.#ahead.executor),
      stateExport: {
        exportPage: async (startPath, skip, take) => exportItems(state, startPath, { skip, take }),
      },
      emit: (event) => {
        if (this.isAlive) this.#watch.sync(event);
      },
      ...{ nowMs: () => this.#nowMs(), timers: this.#timers },
      times: { staleCheckMs: 66_000, staleThresholdMs: 60_000 },
    });
  }
}
