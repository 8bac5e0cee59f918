import { setTimeout as sleep } from "node:timers/promises";
import { Chain, type ChainEvent } from "@vedette/chain";
import { loadNodeIdentity, toHex } from "@vedette/crypto";
import { type EmitNetworkEvent, Network, type Peer, peerOfUri } from "@vedette/network";
import { type Block, rnodeScala } from "@vedette/protocol";
import { LmdbStore, tablesOf } from "@vedette/store";
import { Engine, SyncError, type SyncEvent } from "@vedette/sync";
import { executionOf } from "../chain/executionOf.js";
import {
  approvedBlockOf,
  blockProcessorOf,
  blockStoreOf,
  dagViewOf,
  stateExportOf,
  stateImportOf,
} from "../chain/syncPorts.js";
import { versionText } from "../cli/version.js";
import { type Config, namesBootstrap } from "../config/keys.js";
import { NodeEvents } from "../events/NodeEvents.js";
import { transferPortOf } from "../events/TransferPort.js";
import { ceremonyRulesOf, genesisPortOf } from "../genesis/genesisPort.js";
import { History } from "../history/History.js";
import { chainLines } from "../observe/chainLines.js";
import { historyLines } from "../observe/historyLines.js";
import { info, lineOf, warn } from "../observe/Line.js";
import type { Log } from "../observe/logger.js";
import { measuredExecutor } from "../observe/measuredExecutor.js";
import type { Meters } from "../observe/meters.js";
import { networkLines } from "../observe/networkLines.js";
import { otherNodeLine } from "../observe/otherNodeLine.js";
import { StatusBoard } from "../observe/StatusBoard.js";
import { syncLines } from "../observe/syncLines.js";
import { watchNode } from "../observe/watchNode.js";
import type { Proposing } from "../propose/Proposing.js";
import { type ApiQueries, apiQueriesOf } from "../query/apiQueries.js";
import { BlockQueries } from "../query/BlockQueries.js";
import { type Executor, startExecutorThread } from "../thread/executor.js";
import { ReaderPool } from "../thread/ReaderPool.js";
import { startApiServers } from "./apiServers.js";
import { CatchUp } from "./CatchUp.js";
import { chainRulesOf } from "./chainRules.js";
import { checkPorts } from "./checkPorts.js";
import { type DataDirectory, DataDirectoryError, openDataDirectory } from "./dataDirectory.js";
import { ownAddress } from "./ownAddress.js";
import { RememberedPeers } from "./rememberedPeers.js";
import { proposingOf } from "./startProposing.js";
import { type ValidatorIdentity, validatorIdentityOf } from "./validatorIdentity.js";

/** What a node is started with. */
export interface NodeOptions {
  readonly config: Config;
  readonly log: Log;
  /** Ends the node. */
  readonly signal: AbortSignal;
  readonly readerThreads: number;
  readonly exploreTimeoutMs: number;
  readonly meters: Meters;
  /** Opens the file of the validator's key, where that is encrypted. */
  readonly keyPassword?: string | undefined;
}

/** Queries that may wait for a reader. */
const maxWaitingQueries = 1_000;
/** How often is looked whether the node has a chain. */
const lookMs = 100;
/** What does not change by itself: the same configuration comes to the same end. */
const hopeless: ReadonlySet<SyncError["failure"]["code"]> = new Set([
  "roleNotSupported",
  "noBootstrap",
  "ownGenesisRejected",
]);
const noPeerYet =
  "No peer can be reached, and this data directory knows of no block of this validator's key: nothing is proposed before a peer has told of the newest blocks, since a second block with the same sequence number would cost the stake.";
/** Pause before a node that could not join tries again. */
const rejoinMs = 30_000;

/**
 * Runs a node in its configured role until the signal: founds or joins its network or goes on with the chain that it
 * has, follows it, proposes if it is a validator, serves peers and readers.
 *
 * @throws what keeps it from starting: {DataDirectoryError}, {ValidatorKeyError}, {GenesisSetupError}, {StoreError}, {PortsInUseError}, {NetworkError}, …
 * @spec 50 §6.1
 */
export async function runNode(options: NodeOptions): Promise<void> {
  const { config, log, signal } = options;
  const validator = validatorIdentityOf(config, options.keyPassword);
  await checkPorts(wantedPorts(config));
  await using directory = await openDataDirectory(config["storage.data-dir"]);
  log(info(`Using data dir: ${directory.path}`));
  const identity = loadNodeIdentity(
    {
      certificatePath: config["tls.certificate-path"],
      keyPath: config["tls.key-path"],
      isCustomCertificate: config["tls.custom-certificate-location"],
    },
    Date.now(),
  );
  for (const notice of identity.notices) log(info(notice));
  if (validator === undefined) log(warn("No private key detected, cannot create validator identification."));
  else log(info(`Validator identity: ${toHex(validator.publicKey)}`));
  const { meters } = options;
  const onReplayed = (milliseconds: number) => meters.onBlockReplayed(milliseconds);
  const measured = measuredExecutor(startExecutorThread({ stateDirectory: directory.state }), onReplayed, () =>
    performance.now(),
  );
  await using executor = measured.executor;
  const emptyStateHash = await executor.makeEmptyState();
  await using store = new LmdbStore(directory.chain, { tables: tablesOf("chain") });
  // The state store exists now, so that readers can open it.
  await using readers = new ReaderPool({
    stateDirectory: directory.state,
    threads: options.readerThreads,
    maxWaiting: maxWaitingQueries,
  });
  const node = new RunningNode({
    ...options,
    identity,
    validator,
    directory,
    executor,
    store,
    readers,
    emptyStateHash,
    executorCalls: measured.pending,
  });
  await node.run(signal);
}

interface Parts extends NodeOptions {
  readonly identity: { readonly certificatePem: string; readonly privateKeyPem: string };
  /** `undefined` for an observer. */
  readonly validator: ValidatorIdentity | undefined;
  readonly directory: DataDirectory;
  readonly executor: Executor;
  /** Calls that it works on, or that wait for it. */
  readonly executorCalls: () => number;
  readonly store: LmdbStore;
  readonly readers: ReaderPool;
  readonly emptyStateHash: Uint8Array;
}

/** The parts of a running node, wired to each other. */
class RunningNode {
  readonly #parts: Parts;
  readonly #chain: Chain;
  readonly #events: NodeEvents;
  readonly #blocks: BlockQueries;
  readonly #history: History;
  readonly #board = new StatusBoard(() => performance.now());
  readonly #catchUp = new CatchUp();
  readonly #proposing: Proposing | undefined;
  #network: Network | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { store, executor, config, validator, log, meters } = parts;
    const execution = executionOf(executor, store.table("blocks"), (root) => this.#provideState(root));
    const rules = chainRulesOf(config, parts.emptyStateHash);
    this.#events = new NodeEvents({
      store,
      maximumParents: rules.maximumParents,
      transfers: transferPortOf(parts.readers),
    });
    this.#chain = new Chain({
      store,
      rules,
      execution,
      nowMs: Date.now,
      emit: (event) => this.#onChainEvent(event),
      record: this.#events.record,
    });
    this.#events.open(this.#chain);
    this.#blocks = new BlockQueries(this.#chain, config["api-server.max-blocks-limit"]);
    this.#history = new History({
      ...{ store, chain: this.#chain, blocks: this.#blocks, readers: parts.readers },
      emit: (event) => this.#say(lineOf(historyLines, event)),
    });
    this.#checkShard();
    if (validator !== undefined) {
      const [chain, catchUp, network] = [this.#chain, this.#catchUp, () => this.#network];
      const onBlockCreated = (block: Block) => this.#events.onBlockCreated(block);
      this.#proposing = proposingOf({
        ...{ config, chain, store, execution, validator, catchUp, network, log, meters, onBlockCreated },
      });
    }
  }

  /** A data directory of another network must not be continued. */
  #checkShard(): void {
    const { config, directory } = this.#parts;
    const shard = this.#chain.blocks.approvedBlock()?.candidate.block.shardId;
    const expected = config["casper.shard-name"];
    if (shard !== undefined && shard !== expected)
      throw new DataDirectoryError({ code: "otherShard", path: directory.path, shard, expected });
  }

  #provideState: (root: Uint8Array) => Promise<void> = async () => undefined;

  async run(signal: AbortSignal): Promise<void> {
    const { config, identity, log, meters } = this.#parts;
    const certificate = identity.certificatePem;
    const local = await ownAddress({ config, certificate, log, signal });
    const bootstrap = bootstrapOf(config);
    const remembered = new RememberedPeers(this.#parts.directory.path);
    const emitNetwork: EmitNetworkEvent = (event) => {
      meters.onNetworkEvent(event, this.#network?.knownPeers.length ?? 0);
      if (event.type === "peersChanged") remembered.write(this.#network?.peers ?? []);
      this.#say(lineOf(networkLines, event));
    };
    const known = remembered.read();
    await using network = new Network({ ...this.#networkOptions(local, bootstrap, emitNetwork), remembered: known });
    this.#network = network;
    const engine = new CurrentEngine(() => this.#engine(network, bootstrap));
    this.#provideState = (root) => engine.value.provideState(root, signal);
    const queries = this.#queries(network, engine);
    this.#watch(engine, queries);
    await using _servers = await startApiServers({
      ...{ config, queries, log, meters },
      register: this.#events.register,
    });
    const ended = new AbortController();
    const whileRunning = AbortSignal.any([signal, ended.signal]);
    const proposing = this.#propose(engine, bootstrap !== undefined || known.length > 0, whileRunning);
    await network.start((peer, typeId, content) => engine.value.handlePacket(peer, typeId, content), signal);
    const indexing = this.#history.run(whileRunning);
    try {
      await this.#follow(engine, signal);
    } finally {
      ended.abort();
      await Promise.all([proposing, indexing]);
    }
  }

  #watch(engine: CurrentEngine, queries: ApiQueries): void {
    const { meters, directory, executorCalls, readers } = this.#parts;
    const pool = this.#proposing?.pool;
    watchNode(meters, {
      ...{ version: versionText, executorCalls, readers },
      stores: { chain: directory.chain, state: directory.state },
      pooledDeploys: pool === undefined ? undefined : () => pool.size,
      eventReaders: () => this.#events.connections,
      blocks: () => ({ waiting: engine.value.status().waitingBlocks, ready: engine.value.status().readyBlocks }),
      status: () => queries.status.now().syncStatus,
    });
  }

  /** Joins and follows; a node that could not join tries again. */
  async #follow(engine: CurrentEngine, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await engine.value.run(signal);
      } catch (error) {
        if (!(error instanceof SyncError) || hopeless.has(error.failure.code)) throw error;
        this.#board.failed(error.message);
        this.#parts.log(warn(`${error.message} Trying again in ${rejoinMs / 1000} seconds.`));
        await sleep(rejoinMs, undefined, { signal }).catch(() => undefined);
        engine.renew();
      }
    }
  }

  /** Proposes, on a validator, from when the node has a chain and knows what its peers know. */
  async #propose(engine: CurrentEngine, expectsPeers: boolean, signal: AbortSignal): Promise<void> {
    if (this.#proposing === undefined) return;
    await engine.running(signal);
    // Who founds a network alone waits for nobody.
    const hasProposed = this.#proposing.proposer.hasProposed || this.#parts.config.standalone;
    const waitsForPeer = () => this.#parts.log(warn(noPeerYet));
    await this.#catchUp.run(() => engine.value.status(), { expectsPeers, hasProposed, waitsForPeer }, signal);
    if (!signal.aborted) await this.#proposing.run(signal);
  }

  #engine(network: Network, bootstrap: Peer | undefined): Engine {
    const { config, store, executor, readers, emptyStateHash, validator, log } = this.#parts;
    return new Engine({
      beginning: config["protocol-client.disable-lfs"] ? "replayAll" : "importState",
      bootstrap,
      shardName: config["casper.shard-name"],
      dialect: rnodeScala,
      modes: {
        genesisValidator: config["casper.genesis-ceremony.genesis-validator-mode"],
        ceremonyMaster: config["casper.genesis-ceremony.ceremony-master-mode"],
      },
      ceremony: {
        genesis: genesisPortOf({ config, executor, emptyStateHash, identity: validator, log, nowMs: Date.now }),
        rules: ceremonyRulesOf(config),
      },
      peers: network,
      blocks: blockStoreOf(this.#chain),
      dag: dagViewOf(this.#chain),
      approved: approvedBlockOf(this.#chain),
      processor: blockProcessorOf(this.#chain),
      store,
      stateImport: stateImportOf(executor),
      stateExport: config["protocol-server.disable-state-exporter"] ? undefined : stateExportOf(readers),
      emit: (event) => this.#onSyncEvent(event),
      nowMs: Date.now,
      times: {
        maintenanceMs: config["casper.casper-loop-interval"],
        staleCheckMs: config["casper.fork-choice-check-if-stale-interval"],
        staleThresholdMs: config["casper.fork-choice-stale-threshold"],
      },
      retriever: { requestTimeoutMs: config["casper.requested-blocks-timeout"] },
    });
  }

  #networkOptions(local: Peer, bootstrap: Peer | undefined, emit: EmitNetworkEvent) {
    const { config, identity } = this.#parts;
    return {
      certificate: identity.certificatePem,
      privateKey: identity.privateKeyPem,
      networkId: config["protocol-server.network-id"],
      dialect: rnodeScala,
      local,
      ...(bootstrap === undefined ? {} : { bootstrap }),
      allowPrivateAddresses: config["protocol-server.allow-private-addresses"],
      emit,
      nowMs: Date.now,
      discoveryIntervalMs: config["peers-discovery.lookup-interval"],
      maintenanceIntervalMs: config["peers-discovery.cleanup-interval"],
      networkTimeoutMs: config["protocol-client.network-timeout"],
      heartbeatBatchSize: config["peers-discovery.heartbeat-batch-size"],
      broadcastPeers: config["protocol-client.batch-max-connections"],
    };
  }

  #queries(network: Network, engine: CurrentEngine): ApiQueries {
    const { config, readers, exploreTimeoutMs: queryTimeoutMs, validator } = this.#parts;
    const proposing = this.#proposing;
    return apiQueriesOf({
      ...{ config, readers, queryTimeoutMs, dag: this.#chain.dag, blocks: this.#blocks },
      history: this.#history.queries,
      explorationsAtOnce: Math.max(1, this.#parts.readerThreads - 1),
      status: {
        version: versionText,
        network: {
          networkId: config["protocol-server.network-id"],
          shardId: config["casper.shard-name"],
          minPhloPrice: config["casper.min-phlo-price"],
        },
        now: () => this.#board.view(network, engine.value.status(), this.#chain.dag, versionText),
      },
      validator:
        validator === undefined || proposing === undefined
          ? undefined
          : { publicKey: validator.publicKey, deploys: proposing, proposals: proposing.queue },
      isRunning: () => engine.value.status().state === "running",
    });
  }

  #onChainEvent(event: ChainEvent): void {
    this.#blocks.chainChanged();
    this.#parts.meters.onChainEvent(event);
    this.#events.onChainEvent(event);
    this.#history.onChainEvent(event);
    this.#proposing?.onChainEvent(event);
    this.#say(lineOf(chainLines, event));
  }

  #onSyncEvent(event: SyncEvent): void {
    this.#board.onSyncEvent(event);
    this.#parts.meters.onSyncEvent(event);
    if (event.type === "enteredRunning") this.#blocks.chainChanged();
    this.#say(lineOf(syncLines, event));
    this.#say(otherNodeLine(event, this.#parts.validator?.publicKey));
  }

  #say(line: ReturnType<typeof info> | undefined): void {
    if (line !== undefined) this.#parts.log(line);
  }
}

/** The engine that is at work; another one takes its place when a join has failed. */
class CurrentEngine {
  readonly #create: () => Engine;
  value: Engine;

  constructor(create: () => Engine) {
    this.#create = create;
    this.value = create();
  }

  renew(): void {
    this.value = this.#create();
  }

  /** Resolves when the node has a chain, or at the signal. */
  async running(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.value.status().state !== "running")
      await sleep(lookMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Nobody's address is the default, and a network's first node keeps it. */
function bootstrapOf(config: Config): Peer | undefined {
  return config.standalone || !namesBootstrap(config) ? undefined : peerOfUri(config["protocol-client.bootstrap"]);
}

function wantedPorts(config: Config) {
  const apiHost = config["api-server.host"];
  return [
    { name: "http", port: config["api-server.port-http"], host: apiHost },
    { name: "admin http", port: config["api-server.port-admin-http"], host: config["api-server.host-admin-http"] },
    { name: "grpc server external", port: config["api-server.port-grpc-external"], host: apiHost },
    { name: "grpc server internal", port: config["api-server.port-grpc-internal"], host: apiHost },
    { name: "RChain Protocol", port: config["protocol-server.port"], host: "0.0.0.0" },
    { name: "Kademlia", port: config["peers-discovery.port"], host: "0.0.0.0" },
  ];
}
