import {
  BlockTable,
  Chain,
  checkFormat,
  checkSignature,
  type F1r3nodeBlockExecution,
  type F1r3nodeConsensus,
  f1r3node0445,
  f1r3nodeConsensus,
  genesisFirst,
  StoredFloorCache,
} from "@vedette/chain";
import { createNodeCertificate, toHex } from "@vedette/crypto";
import { mergeableIdOf } from "@vedette/execution";
import {
  approvedBlockOf,
  blockProcessorOf,
  blockStoreOf,
  dagViewOf,
  F1r3nodeExecutor,
  f1r3nodeExecutionOf,
  floorPortOf,
  genesisExecution,
  numberEntryPortOf,
  settledAdmissionOf,
  stateImportOf,
  withBlockBytes,
} from "@vedette/executor";
import { executorHere } from "@vedette/executor/testing";
import { Network, type NetworkEvent, type Peer } from "@vedette/network";
import { type Block, f1r3node, hashKey } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { Engine, f1r3nodeJoin, type HorizonDepths, type SyncEvent, type SyncOptions } from "@vedette/sync";
import { exportItems, f1r3nodeSpace, findMissing, StateStore } from "@vedette/tuplespace";

/** The parts of a node that survive its process. */
export class FloorDisk {
  readonly chain = new MemoryStore(tablesOf("chain"));
  readonly state = new MemoryStore(tablesOf("state"));
  readonly identity = createNodeCertificate(Date.now());
  /** Free ones at first; a node that starts again is found where it was. */
  ports = { protocolPort: 0, discoveryPort: 0 };
}

/** The network of the recording `trio-r`. */
const network = { shardName: "root", maximumParents: 10, epochLength: 6n };
// All recordings lie in the past of this clock.
const laterMs = 10 * 365 * 86_400_000;
const usualDepths: HorizonDepths = { parentDepth: 15n, depthBuffer: 10n };

/** How a test's node is made. */
export interface F1r3nodeTestNodeOptions {
  readonly disk?: FloorDisk;
  readonly depths?: HorizonDepths;
  readonly sync?: Partial<SyncOptions>;
  /** Changes what the node would do, such as to lie. */
  readonly lies?: (honest: SyncOptions) => Partial<SyncOptions>;
}

/** A node of an f1r3node network on the loopback interface, with all of its execution, in one thread. */
export class F1r3nodeTestNode implements AsyncDisposable {
  readonly disk: FloorDisk;
  readonly chain: Chain;
  readonly network: Network;
  readonly engine: Engine;
  readonly events: SyncEvent[] = [];
  readonly networkEvents: NetworkEvent[] = [];
  readonly #states: F1r3nodeExecutor;
  readonly #stateTables: StateStore;
  readonly #cache: StoredFloorCache;
  readonly #ended = new AbortController();
  #consensus: F1r3nodeConsensus | undefined;
  #running: Promise<unknown> = Promise.resolve();
  #changed: (() => void)[] = [];

  constructor({
    disk = new FloorDisk(),
    depths = usualDepths,
    sync = {},
    lies = () => ({}),
  }: F1r3nodeTestNodeOptions = {}) {
    this.disk = disk;
    const nowMs = () => Date.now() + laterMs;
    this.#states = new F1r3nodeExecutor(disk.state);
    this.#stateTables = new StateStore(disk.state, { form: f1r3nodeSpace });
    this.#cache = new StoredFloorCache(disk.chain);
    const blocks = new BlockTable(disk.chain, { form: f1r3node.blockForm });
    const executor = withBlockBytes(executorHere(this.#states), blocks);
    const provideState = (root: Uint8Array) => this.engine.provideState(root, this.#ended.signal);
    const execution = f1r3nodeExecutionOf(executor, blocks, provideState);
    this.chain = new Chain({
      ...{ store: disk.chain, nowMs, firstMessage: genesisFirst, execution: genesisExecution(execution, executor) },
      rules: {
        ...{ dialect: f1r3node, shardName: network.shardName, maximumParents: network.maximumParents },
        ...{ maximumParentDepth: 15, minimumPhloPrice: 0n, faultToleranceThreshold: 0.1, finalizationRate: 1 },
        emptyStateHash: this.#states.makeEmptyState(),
      },
      consensus: (parts) => {
        const tolerance = async (root: Uint8Array) => this.#states.faultTolerance(root);
        const { epochLength } = network;
        const ruleSet = f1r3node0445;
        this.#consensus = f1r3nodeConsensus(parts, {
          ...{ execution, ruleSet, epochLength, tolerance },
          cache: this.#cache,
        });
        return this.#consensus;
      },
    });
    const { nodeId, certificatePem, privateKeyPem } = disk.identity;
    this.network = new Network({
      ...{ certificate: certificatePem, privateKey: privateKeyPem, networkId: "test", dialect: f1r3node, nowMs },
      local: { id: toHex(nodeId), host: "127.0.0.1", ...disk.ports },
      bindHost: "127.0.0.1",
      allowPrivateAddresses: true,
      discoveryIntervalMs: 100,
      bootstrap: sync.bootstrap,
      emit: (event) => this.networkEvents.push(event),
    });
    const honest = { ...this.#syncOptions(execution, depths, nowMs), ...sync };
    this.engine = new Engine({ ...honest, ...lies(honest) });
  }

  get peer(): Peer {
    return this.network.local;
  }

  /** Listens and runs; `failure` has the reason why the engine ended, if it did. */
  async start(): Promise<this> {
    await this.#consensus!.prepare();
    await this.network.start((peer, typeId, content) => this.engine.handlePacket(peer, typeId, content));
    const { protocolPort, discoveryPort } = this.peer;
    this.disk.ports = { protocolPort, discoveryPort };
    this.#running = this.engine.run(this.#ended.signal).catch((error: unknown) => error);
    return this;
  }

  /** Why the engine ended; waits until it has. */
  get failure(): Promise<unknown> {
    return this.#running;
  }

  /** Executes a whole chain, as if it had followed the network. @param blocks genesis first, parents before children */
  async load([genesis, ...blocks]: readonly Block[]): Promise<this> {
    const candidate = { block: genesis!, requiredSignatures: 0 };
    const wrong = await this.chain.adoptGenesis({ candidate, signatures: [] });
    if (wrong !== undefined) throw new TypeError(`genesis: ${wrong.status}`);
    for (const block of blocks) {
      this.chain.blocks.put(block);
      const { status } = await this.chain.process(block, false);
      if (status.status !== "Valid") throw new TypeError(`#${block.number}: ${status.status}`);
    }
    return this;
  }

  /** Waits, without polling, until something holds that events can change. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#changed.push(resolve));
  }

  /** Returns the facts about blocks from a height on, each by its hash. */
  async blockFacts(from = 0n): Promise<Map<string, object>> {
    await this.#consensus!.prepare();
    const facts = new Map<string, object>();
    for (const { hash } of this.chain.dag.blocksByHeight(from, 1_000_000n)) {
      const metadata = this.chain.dag.require(hash);
      const block = this.chain.blocks.find(hash)!;
      const { floor, frontier } = this.floorOf(hash);
      const entry = this.#states.numberEntry(mergeableIdOf(block));
      const { preStateHash, postStateHash } = block.body.state;
      facts.set(toHex(hash), {
        ...{ invalid: metadata.invalid, finalized: metadata.finalized, floor, frontier },
        ...{ hasPreState: this.hasState(preStateHash), hasPostState: this.hasState(postStateHash) },
        entry: entry && toHex(entry),
      });
    }
    return facts;
  }

  hasState(root: Uint8Array): boolean {
    return this.#stateTables.hasRoot(root) && findMissing(this.#stateTables, root).nodes.length === 0;
  }

  /** Floor and frontier of a block, derived where they are not known. */
  floorOf(hash: Uint8Array): { readonly floor: string; readonly frontier: string } {
    this.#consensus!.floors.floorOf(this.chain.dag.require(hash));
    const { floor, frontier } = this.#cache.find(hash)!;
    return { floor: toHex(floor), frontier: frontier === undefined ? "" : toHex(frontier) };
  }

  /** Hashes of all valid blocks, in hex. */
  get hashes(): string[] {
    return [...this.chain.dag.blocksByHeight(0n, 1_000_000n)].map(({ hash }) => toHex(hash)).sort();
  }

  /** Whether it has all latest messages of another node. */
  isAt(other: F1r3nodeTestNode): boolean {
    const known = new Set(this.chain.dag.latestMessages().map(({ hash }) => hashKey(hash)));
    const isThere = other.chain.dag.latestMessages().every(({ hash }) => known.has(hashKey(hash)));
    return this.engine.status().state === "running" && isThere;
  }

  /** Ends as a kill would, except that peers receive a disconnect. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    await this.network[Symbol.asyncDispose]();
    await this.#running;
  }

  #syncOptions(execution: F1r3nodeBlockExecution, depths: HorizonDepths, nowMs: () => number): SyncOptions {
    const { chain } = this;
    const { dag, blocks } = chain;
    const { prepare, floors: derivation } = this.#consensus!;
    const tolerance = async (root: Uint8Array) => this.#states.faultTolerance(root);
    const floors = floorPortOf({ dag, blocks, cache: this.#cache, floors: derivation, prepare, tolerance });
    const entries = numberEntryPortOf(executorHere(this.#states), execution, blocks);
    const formOf = (block: Block) => checkFormat(block) ?? checkSignature(block, f1r3node);
    return {
      ...{ beginning: "importState", join: f1r3nodeJoin({ ...depths, floors, entries }), floors, entries },
      ...{ bootstrap: undefined, shardName: network.shardName, dialect: f1r3node },
      modes: { genesisValidator: false, ceremonyMaster: false },
      ...{ peers: this.network, questions: this.network, store: this.disk.chain },
      ...{ blocks: blockStoreOf(chain), dag: dagViewOf(chain), approved: approvedBlockOf(chain, this.#cache) },
      validation: { ...blockProcessorOf(chain, { announce() {} }, { formOf }), ...settledAdmissionOf(chain) },
      ...this.#statePorts(),
      emit: (event) => {
        this.events.push(event);
        for (const resolve of this.#changed.splice(0)) resolve();
      },
      nowMs,
      times: { approvedRetryMs: 50, maintenanceMs: 200, retrieverMs: 100 },
    };
  }

  #statePorts(): Pick<SyncOptions, "stateImport" | "stateExport"> {
    const states = this.#stateTables;
    return {
      stateImport: stateImportOf(executorHere(this.#states)),
      stateExport: {
        exportPage: async (startPath, skip, take) => exportItems(states, startPath, { skip, take }),
      },
    };
  }
}
