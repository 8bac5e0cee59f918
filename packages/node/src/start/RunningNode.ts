import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { Chain, type ChainEvent } from "@vedette/chain";
import { type EmitNetworkEvent, Network } from "@vedette/network";
import type { Block } from "@vedette/protocol";
import type { SyncEvent } from "@vedette/sync";
import { BlockReading } from "../chain/BlockReading.js";
import { executionOf } from "../chain/executionOf.js";
import { ReplayAhead } from "../chain/ReplayAhead.js";
import { versionText } from "../config/version.js";
import { eventLimitsOf } from "../events/EventHub.js";
import { NodeEvents } from "../events/NodeEvents.js";
import { transferPortOf } from "../events/TransferPort.js";
import { History } from "../history/History.js";
import { chainLines } from "../observe/chainLines.js";
import { historyLines } from "../observe/historyLines.js";
import { type info, lineOf, warn } from "../observe/Line.js";
import { networkLines } from "../observe/networkLines.js";
import { otherNodeLine } from "../observe/otherNodeLine.js";
import { StatusBoard } from "../observe/StatusBoard.js";
import { syncLines } from "../observe/syncLines.js";
import { watchNode } from "../observe/watchNode.js";
import type { Proposing } from "../propose/Proposing.js";
import { type ApiQueries, apiQueriesOf } from "../query/apiQueries.js";
import { BlockQueries } from "../query/BlockQueries.js";
import { noteMerge } from "../rejection/mergeNotes.js";
import { explorationShareOf, ReadTurns, readShareOf } from "../thread/ReadTurns.js";
import { startApiServers } from "./apiServers.js";
import { CatchUp } from "./CatchUp.js";
import { CurrentEngine } from "./CurrentEngine.js";
import { chainRulesOf } from "./chainRules.js";
import { DataDirectoryError } from "./dataDirectory.js";
import { engineOf } from "./engineOf.js";
import { isBehind } from "./isBehind.js";
import type { NodeParts } from "./NodeParts.js";
import { bootstrapOf, networkOptionsOf } from "./nodeNetwork.js";
import { ownAddress } from "./ownAddress.js";
import { PatientProposals } from "./PatientProposals.js";
import { RememberedPeers } from "./rememberedPeers.js";
import { proposingOf } from "./startProposing.js";

const noPeerYet =
  "No peer can be reached, and this data directory knows of no block of this validator's key: nothing is proposed before a peer has told of the newest blocks, since a second block with the same sequence number would cost the stake.";

/** The parts of a running node, wired to each other. */
export class RunningNode {
  readonly #parts: NodeParts;
  readonly #chain: Chain;
  readonly #ahead: ReplayAhead;
  readonly #events: NodeEvents;
  readonly #blocks: BlockQueries;
  readonly #history: History;
  readonly #board = new StatusBoard(() => performance.now());
  readonly #catchUp = new CatchUp();
  readonly #turns = new ReadTurns(() => this.#isBehind(), readShareOf(availableParallelism()));
  readonly #proposing: Proposing | undefined;
  #network: Network | undefined;

  constructor(parts: NodeParts) {
    this.#parts = parts;
    const { store, executor, config, validator, log, meters } = parts;
    this.#ahead = new ReplayAhead(executor);
    const execution = executionOf(
      this.#ahead.executor,
      store.table("blocks"),
      (root) => this.#provideState(root),
      (block, scope, merged) => noteMerge(store, block, scope, merged),
    );
    const rules = chainRulesOf(config, parts.emptyStateHash);
    this.#events = new NodeEvents({
      store,
      maximumParents: rules.maximumParents,
      transfers: transferPortOf(parts.readers),
      limits: eventLimitsOf(config),
      turns: this.#turns,
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

  #isBehind: () => boolean = () => false;

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
    const place = { local, bootstrap, remembered: known, emit: emitNetwork };
    await using network = new Network(networkOptionsOf(this.#parts, place));
    this.#network = network;
    const emit = (event: SyncEvent) => this.#onSyncEvent(event);
    await using reading = new BlockReading();
    const surroundings = { chain: this.#chain, ahead: this.#ahead, reading, network, bootstrap, emit };
    const engine = new CurrentEngine(() => engineOf(this.#parts, surroundings));
    this.#provideState = (root) => engine.value.provideState(root, signal);
    this.#isBehind = () => isBehind(engine.value.status(), this.#parts.executorCalls());
    const queries = this.#queries(network, engine);
    this.#watch(network, engine, queries);
    await using _servers = await startApiServers({
      ...{ config, queries, log, meters },
      events: this.#events.served,
      takeTurn: this.#turns.take,
    });
    const ended = new AbortController();
    const whileRunning = AbortSignal.any([signal, ended.signal]);
    const proposing = this.#propose(engine, bootstrap !== undefined || known.length > 0, whileRunning);
    await network.start((peer, typeId, content) => engine.value.handlePacket(peer, typeId, content), signal);
    const indexing = this.#history.run(whileRunning);
    try {
      await engine.run((message, pauseMs) => this.#couldNotJoin(message, pauseMs), signal);
    } finally {
      ended.abort();
      await Promise.all([proposing, indexing]);
    }
  }

  #couldNotJoin(message: string, pauseMs: number): void {
    this.#board.failed(message);
    this.#parts.log(warn(`${message} Trying again in ${pauseMs / 1000} seconds.`));
  }

  #watch(network: Network, engine: CurrentEngine, queries: ApiQueries): void {
    const { meters, directory, executorCalls, readers } = this.#parts;
    const pool = this.#proposing?.pool;
    watchNode(meters, {
      ...{ version: versionText, executorCalls, readers },
      stores: { chain: directory.chain, state: directory.state },
      pooledDeploys: pool === undefined ? undefined : () => pool.size,
      eventReaders: () => this.#events.connections,
      peerConnections: () => network.inbound,
      blocks: () => {
        const { waitingBlocks, readyBlocks, unjudgedBlocks } = engine.value.status();
        return { waiting: waitingBlocks, ready: readyBlocks, unjudged: unjudgedBlocks };
      },
      status: () => queries.status.now().syncStatus,
    });
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

  #queries(network: Network, engine: CurrentEngine): ApiQueries {
    const { config, readers, exploreTimeoutMs: queryTimeoutMs, validator } = this.#parts;
    const proposing = this.#proposing;
    return apiQueriesOf({
      ...{ config, readers, queryTimeoutMs, dag: this.#chain.dag, blocks: this.#blocks },
      history: this.#history.queries,
      explorationsAtOnce: Math.max(1, this.#parts.readerThreads - 1),
      rests: {
        isBehind: () => this.#turns.isBehind,
        share: explorationShareOf(availableParallelism()),
        ...{ nowMs: () => performance.now(), wait: (milliseconds) => sleep(milliseconds, undefined, { ref: false }) },
      },
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
          : { publicKey: validator.publicKey, deploys: proposing, proposals: this.#proposals(proposing) },
      isRunning: () => engine.value.status().state === "running",
    });
  }

  #proposals({ queue }: Proposing): PatientProposals {
    const hasChain = () => this.#chain.blocks.approvedBlock() !== undefined;
    return new PatientProposals({ queue, catchUp: this.#catchUp, hasChain });
  }

  #onChainEvent(event: ChainEvent): void {
    this.#blocks.chainChanged();
    this.#parts.meters.onChainEvent(event);
    this.#board.onChainEvent(event);
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
