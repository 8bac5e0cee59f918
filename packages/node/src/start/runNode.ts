import { setTimeout as sleep } from "node:timers/promises";
import { Chain, type ChainEvent } from "@vedette/chain";
import { loadNodeIdentity } from "@vedette/crypto";
import { type EmitNetworkEvent, Network, type Peer, peerOfUri } from "@vedette/network";
import { rnodeScala } from "@vedette/protocol";
import { LmdbStore, tablesOf } from "@vedette/store";
import { Engine, SyncError, type SyncEvent } from "@vedette/sync";
import type { FastifyInstance } from "fastify";
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
import type { Config } from "../config/keys.js";
import { createHttpServer } from "../http/server.js";
import { chainLines } from "../observe/chainLines.js";
import { info, lineOf, warn } from "../observe/Line.js";
import type { Log } from "../observe/logger.js";
import { Meters } from "../observe/meters.js";
import { networkLines } from "../observe/networkLines.js";
import { StatusBoard } from "../observe/StatusBoard.js";
import { syncLines } from "../observe/syncLines.js";
import { apiQueriesOf } from "../query/apiQueries.js";
import { BlockQueries } from "../query/BlockQueries.js";
import { type Executor, startExecutorThread } from "../thread/executor.js";
import { ReaderPool } from "../thread/ReaderPool.js";
import { chainRulesOf } from "./chainRules.js";
import { checkPorts } from "./checkPorts.js";
import { type DataDirectory, DataDirectoryError, openDataDirectory } from "./dataDirectory.js";
import { ownAddress } from "./ownAddress.js";
import { RememberedPeers } from "./rememberedPeers.js";

/** What a node is started with. */
export interface NodeOptions {
  readonly config: Config;
  readonly log: Log;
  /** Ends the node. */
  readonly signal: AbortSignal;
  readonly readerThreads: number;
  readonly exploreTimeoutMs: number;
}

/** Queries that may wait for a reader. */
const maxWaitingQueries = 1_000;
/** Pause before a node that could not join tries again. */
const rejoinMs = 30_000;

/**
 * Runs an observer until the signal: joins its network or goes on with the chain that it has, follows it, serves
 * peers and readers.
 *
 * @throws what keeps it from starting: {DataDirectoryError}, {StoreError}, {PortsInUseError}, {NetworkError}, …
 * @spec 50 §6.1
 */
export async function runNode(options: NodeOptions): Promise<void> {
  const { config, log, signal } = options;
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
  log(warn("No private key detected, cannot create validator identification."));
  await using executor = startExecutorThread({ stateDirectory: directory.state });
  const emptyStateHash = await executor.makeEmptyState();
  await using store = new LmdbStore(directory.chain, { tables: tablesOf("chain") });
  // The state store exists now, so that readers can open it.
  await using readers = new ReaderPool({
    stateDirectory: directory.state,
    threads: options.readerThreads,
    maxWaiting: maxWaitingQueries,
  });
  const node = new RunningNode({ ...options, identity, directory, executor, store, readers, emptyStateHash });
  await node.run(signal);
}

interface Parts extends NodeOptions {
  readonly identity: { readonly certificatePem: string; readonly privateKeyPem: string };
  readonly directory: DataDirectory;
  readonly executor: Executor;
  readonly store: LmdbStore;
  readonly readers: ReaderPool;
  readonly emptyStateHash: Uint8Array;
}

/** The parts of a running node, wired to each other. */
class RunningNode {
  readonly #parts: Parts;
  readonly #meters = new Meters();
  readonly #chain: Chain;
  readonly #blocks: BlockQueries;
  readonly #board = new StatusBoard(() => performance.now());

  constructor(parts: Parts) {
    this.#parts = parts;
    const { store, executor, config } = parts;
    this.#chain = new Chain({
      store,
      rules: chainRulesOf(config, parts.emptyStateHash),
      execution: executionOf(executor, store.table("blocks"), (root) => this.#provideState(root)),
      nowMs: Date.now,
      emit: (event) => this.#onChainEvent(event),
    });
    this.#blocks = new BlockQueries(this.#chain, config["api-server.max-blocks-limit"]);
    this.#checkShard();
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
    const { config, identity, log } = this.#parts;
    const certificate = identity.certificatePem;
    const local = await ownAddress({ config, certificate, log, signal });
    const bootstrap = bootstrapOf(config);
    const remembered = new RememberedPeers(this.#parts.directory.path);
    let network: Network | undefined;
    const emitNetwork: EmitNetworkEvent = (event) => {
      this.#meters.onNetworkEvent(event, network?.knownPeers.length ?? 0);
      if (event.type === "peersChanged") remembered.write(network?.peers ?? []);
      this.#say(lineOf(networkLines, event));
    };
    await using started = new Network({
      ...this.#networkOptions(local, bootstrap, emitNetwork),
      remembered: remembered.read(),
    });
    network = started;
    const engine = new CurrentEngine(() => this.#engine(started, bootstrap));
    this.#provideState = (root) => engine.value.provideState(root, signal);
    const server = this.#httpServer(started, engine);
    try {
      await this.#listen(server);
      await started.start((peer, typeId, content) => engine.value.handlePacket(peer, typeId, content), signal);
      await this.#follow(engine, signal);
    } finally {
      await server.close();
    }
  }

  /** Joins and follows; a node that could not join tries again. */
  async #follow(engine: CurrentEngine, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await engine.value.run(signal);
      } catch (error) {
        if (
          !(error instanceof SyncError) ||
          error.failure.code === "roleNotSupported" ||
          error.failure.code === "noBootstrap"
        )
          throw error;
        this.#board.failed(error.message);
        this.#parts.log(warn(`${error.message} Trying again in ${rejoinMs / 1000} seconds.`));
        await sleep(rejoinMs, undefined, { signal }).catch(() => undefined);
        engine.renew();
      }
    }
  }

  #engine(network: Network, bootstrap: Peer | undefined): Engine {
    const { config, store, executor, readers } = this.#parts;
    return new Engine({
      beginning: config["protocol-client.disable-lfs"] ? "replayAll" : "importState",
      bootstrap,
      shardName: config["casper.shard-name"],
      dialect: rnodeScala,
      modes: {
        genesisValidator: config["casper.genesis-ceremony.genesis-validator-mode"],
        ceremonyMaster: config["casper.genesis-ceremony.ceremony-master-mode"] && !config.standalone,
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

  #httpServer(network: Network, engine: CurrentEngine): FastifyInstance {
    const { config, readers, exploreTimeoutMs } = this.#parts;
    const { dag } = this.#chain;
    const queries = apiQueriesOf({
      config,
      dag,
      blocks: this.#blocks,
      readers,
      queryTimeoutMs: exploreTimeoutMs,
      status: {
        version: versionText,
        network: {
          networkId: config["protocol-server.network-id"],
          shardId: config["casper.shard-name"],
          minPhloPrice: config["casper.min-phlo-price"],
        },
        now: () => this.#board.view(network, engine.value.status(), dag, versionText),
      },
      validator: undefined,
      isRunning: () => engine.value.status().state === "running",
    });
    return createHttpServer({ queries, metrics: () => this.#meters.text() });
  }

  async #listen(server: FastifyInstance): Promise<void> {
    const { config, log } = this.#parts;
    const host = config["api-server.host"];
    await server.listen({ host, port: config["api-server.port-http"] });
    const address = server.server.address();
    const port = typeof address === "object" && address !== null ? address.port : config["api-server.port-http"];
    log(info(`HTTP API server started at ${host}:${port}`));
  }

  #onChainEvent(event: ChainEvent): void {
    this.#blocks.chainChanged();
    this.#meters.onChainEvent(event);
    this.#say(lineOf(chainLines, event));
  }

  #onSyncEvent(event: SyncEvent): void {
    this.#board.onSyncEvent(event);
    if (event.type === "blockValidated") this.#meters.onBlockValidated(event.durationMs);
    if (event.type === "enteredRunning") this.#blocks.chainChanged();
    this.#say(lineOf(syncLines, event));
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
}

function bootstrapOf(config: Config): Peer | undefined {
  return config.standalone ? undefined : peerOfUri(config["protocol-client.bootstrap"]);
}

function wantedPorts(config: Config) {
  const apiHost = config["api-server.host"];
  return [
    { name: "http", port: config["api-server.port-http"], host: apiHost },
    { name: "RChain Protocol", port: config["protocol-server.port"], host: "0.0.0.0" },
    { name: "Kademlia", port: config["peers-discovery.port"], host: "0.0.0.0" },
  ];
}
