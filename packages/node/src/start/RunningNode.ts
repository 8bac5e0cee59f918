import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { NodeStatusView } from "@vedette/api";
import { BlockTable, Chain, type ChainEvent, noteMerge } from "@vedette/chain";
import { historyWindow, versionText } from "@vedette/config";
import { eventLimitsOf, NodeEvents, notePortOf, transferPortOf } from "@vedette/events";
import type { DeployNote } from "@vedette/execution";
import { LocalFeed, methodsOf, type NodeIndex } from "@vedette/indexer";
import { type info, lineOf, warn } from "@vedette/log";
import { type EmitNetworkEvent, Network } from "@vedette/network";
import type { Block } from "@vedette/protocol";
import { Accounts, type ApiQueries, apiQueriesOf, BlockQueries } from "@vedette/queries";
import type { SyncEvent } from "@vedette/sync";
import { BlockReading, executionOf, ReplayAhead } from "@vedette/workers";
import { explorationShareOf, isBehind, ReadTurns, readShareOf } from "@vedette/workers/threads";
import { DataDirectoryError } from "../machine/dataDirectory.js";
import { accountLines } from "../observe/accountLines.js";
import { chainLines } from "../observe/chainLines.js";
import { FinalityWatch } from "../observe/FinalityWatch.js";
import { networkLines } from "../observe/networkLines.js";
import { noteLines } from "../observe/noteLines.js";
import { otherNodeLine } from "../observe/otherNodeLine.js";
import { noPeerLine } from "../observe/proposeLines.js";
import { StatusBoard } from "../observe/StatusBoard.js";
import { syncLines } from "../observe/syncLines.js";
import { tellProgress } from "../observe/syncProgress.js";
import { watchNode } from "../observe/watchNode.js";
import { type DeployRelay, relayOf } from "../propose/DeployRelay.js";
import type { Proposing } from "../propose/Proposing.js";
import { ProofOfHistory } from "../prove/ProofOfHistory.js";
import { startApiServers } from "./apiServers.js";
import { CatchUp } from "./CatchUp.js";
import { CurrentEngine } from "./CurrentEngine.js";
import { chainRulesOf } from "./chainRules.js";
import { machineClock } from "./DevelopmentPart.js";
import { engineOf } from "./engineOf.js";
import type { NodeParts } from "./NodeParts.js";
import { nodeIndexOf } from "./nodeIndex.js";
import { bootstrapOf, networkOptionsOf } from "./nodeNetwork.js";
import { ownAddress } from "./ownAddress.js";
import { PatientProposals } from "./PatientProposals.js";
import { RememberedPeers } from "./rememberedPeers.js";
import { proposingOf } from "./startProposing.js";
import { keepUp } from "./upkeep.js";

/** The parts of a running node, wired to each other. */
export class RunningNode {
  readonly #parts: NodeParts;
  readonly #chain: Chain;
  readonly #ahead: ReplayAhead;
  readonly #events: NodeEvents;
  readonly #blocks: BlockQueries;
  readonly #accounts: Accounts;
  readonly #feed: LocalFeed;
  readonly #index: NodeIndex | undefined;
  readonly #board = new StatusBoard(() => performance.now());
  readonly #finality: FinalityWatch;
  #relay: DeployRelay | undefined;
  readonly #catchUp = new CatchUp();
  readonly #turns = new ReadTurns(() => this.#isBehind(), readShareOf(availableParallelism()));
  readonly #proposing: Proposing | undefined;
  #network: Network | undefined;
  #proof: ProofOfHistory | undefined;

  constructor(parts: NodeParts) {
    this.#parts = parts;
    const { store, executor, config, validator, log, meters, development } = parts;
    const clock = development?.clock ?? machineClock;
    this.#ahead = new ReplayAhead(executor);
    const usual = executionOf(this.#ahead.executor, new BlockTable(store), (root) => this.#provideState(root), {
      onMerge: (block, scope, merged) => noteMerge(store, block, scope, merged),
      onNotes: (block, notes) => this.#onNotes(block, notes),
    });
    const execution = development?.execution?.(usual) ?? usual;
    const rules = chainRulesOf(config, parts.emptyStateHash);
    // Whatever becomes of the machine's clock, time goes on.
    const timeMs = () => performance.timeOrigin + performance.now();
    this.#finality = new FinalityWatch(timeMs, config["casper.fault-tolerance-threshold"]);
    this.#events = new NodeEvents({
      store,
      maximumParents: rules.maximumParents,
      transfers: transferPortOf(parts.readers),
      notes: notePortOf(parts.readers),
      limits: eventLimitsOf(config),
      turns: this.#turns,
    });
    this.#chain = new Chain({
      store,
      rules,
      execution,
      nowMs: clock.nowMs,
      emit: (event) => this.#onChainEvent(event),
      record: this.#events.record,
    });
    this.#events.open(this.#chain);
    this.#blocks = new BlockQueries(this.#chain, config["api-server.max-blocks-limit"]);
    this.#accounts = new Accounts({
      ...{ store, chain: this.#chain, blocks: this.#blocks, readers: parts.readers },
      emit: (event) => this.#say(lineOf(accountLines, event)),
    });
    this.#feed = new LocalFeed({
      ...{ log: this.#events.served.log, dag: this.#chain.dag, store, readers: parts.readers },
      findBytes: (hash) => this.#chain.blocks.findBytes(hash),
      faultTolerance: (block) => this.#blocks.faultTolerance(block),
    });
    this.#index = nodeIndexOf(parts, this.#feed);
    this.#checkShard();
    if (validator !== undefined) {
      const [chain, catchUp, network] = [this.#chain, this.#catchUp, () => this.#network];
      const onBlockCreated = (block: Block) => this.#events.onBlockCreated(block);
      this.#proposing = proposingOf({
        ...{ config, chain, store, execution, validator, catchUp, network, log, meters, onBlockCreated },
        onDeployTaken: (deploy) => this.#relay?.taken(deploy),
        development,
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

  /** States that are being provided: what a peer's state has in common with others here must not go meanwhile. */
  #provided = 0;

  async #counted(providing: Promise<void>): Promise<void> {
    this.#provided += 1;
    try {
      await providing;
    } finally {
      this.#provided -= 1;
    }
  }

  /** What programs said long ago, in blocks that this node fetches now, is told to those who ask. */
  #onNotes(block: Block, notes: readonly DeployNote[]): void {
    for (const line of noteLines(block, notes, this.#isBehind())) this.#say(line);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { config, identity, log, meters } = this.#parts;
    await this.#chain.blocks.discardLeftovers();
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
    this.#relay = relayOf(config, network, this.#proposing);
    const emit = (event: SyncEvent) => this.#onSyncEvent(event);
    await using reading = new BlockReading();
    const surroundings = { chain: this.#chain, ahead: this.#ahead, reading, network, bootstrap, emit };
    const engine = new CurrentEngine(() => engineOf(this.#parts, surroundings));
    this.#provideState = (root) => this.#counted(engine.value.provideState(root, signal));
    this.#isBehind = () => isBehind(engine.value.status(), this.#parts.executorCalls());
    const proof = new ProofOfHistory({
      ...{ parts: this.#parts, network, bootstrap },
      approved: () => this.#chain.blocks.approvedBlock()?.candidate.block,
      first: () => this.#chain.dag.approvedBlock(),
      isBehind: () => this.#isBehind(),
      say: (line) => this.#say(line),
    });
    this.#proof = proof;
    const queries = this.#queries(network, engine);
    this.#watch(network, engine, queries);
    await using index = this.#index;
    await using _servers = await startApiServers({
      ...{ config, queries, log, meters },
      events: this.#events.served,
      index: this.#index?.queries,
      feed: methodsOf(this.#feed),
      takeTurn: this.#turns.take,
      serveAdmin: this.#parts.development?.serveAdmin,
    });
    const ended = new AbortController();
    const whileRunning = AbortSignal.any([signal, ended.signal]);
    const proposing = this.#propose(engine, bootstrap !== undefined || known.length > 0, whileRunning);
    if (this.#parts.development === undefined)
      await network.start(async (peer, typeId, content) => {
        if (!(await proof.handlePacket(peer, typeId, content))) await engine.value.handlePacket(peer, typeId, content);
      }, signal);
    else void this.#tellOfInside(engine, queries, whileRunning);
    index?.start();
    const indexing = this.#accounts.run(whileRunning);
    const finality = () => this.#status(network, engine).syncStatus.finality;
    void tellProgress(
      () => this.#status(network, engine).syncStatus,
      (line) => this.#say(line),
      whileRunning,
    );
    void this.#finality.tell(finality, (line) => this.#say(line), whileRunning);
    const isRunning = () => engine.value.status().state === "running" && this.#provided === 0;
    const window = historyWindow(config["storage.history"], config["casper.height-constraint-threshold"]);
    const upkeep = keepUp({ ...this.#parts, window, chain: this.#chain, isRunning }, whileRunning);
    const proving = proof.run(() => engine.value.status().state === "running", whileRunning);
    try {
      await engine.run((message, pauseMs) => this.#couldNotJoin(message, pauseMs), signal);
    } finally {
      ended.abort();
      await Promise.all([proposing, indexing, upkeep, proving]);
    }
  }

  async #tellOfInside(engine: CurrentEngine, queries: ApiQueries, signal: AbortSignal): Promise<void> {
    const [chain, proposing] = [this.#chain, this.#proposing];
    await engine.running(signal);
    if (!signal.aborted && proposing !== undefined) this.#parts.development?.begun({ chain, proposing, queries });
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
    const waitsForPeer = () => this.#parts.log(noPeerLine);
    await this.#catchUp.run(() => engine.value.status(), { expectsPeers, hasProposed, waitsForPeer }, signal);
    if (!signal.aborted) await this.#proposing.run(signal);
  }

  #queries(network: Network, engine: CurrentEngine): ApiQueries {
    const { config, readers, exploreTimeoutMs: queryTimeoutMs, validator } = this.#parts;
    const proposing = this.#proposing;
    return apiQueriesOf({
      ...{ config, readers, queryTimeoutMs, dag: this.#chain.dag, blocks: this.#blocks },
      accounts: this.#accounts.queries,
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
        now: () => this.#status(network, engine),
      },
      validator:
        validator === undefined || proposing === undefined
          ? undefined
          : { publicKey: validator.publicKey, deploys: proposing, proposals: this.#proposals(proposing) },
      isRunning: () => engine.value.status().state === "running",
      mayReport: this.#parts.development !== undefined,
    });
  }

  #status(network: Network, engine: CurrentEngine): NodeStatusView {
    const status = this.#board.view(network, engine.value.status(), this.#chain.dag, versionText);
    const finality = this.#finality.viewIn(status.syncStatus.phase, this.#chain.dag);
    const history = this.#proof?.view();
    return { ...status, syncStatus: { ...status.syncStatus, finality, ...history }, index: this.#index?.progress() };
  }

  #proposals({ queue }: Proposing): PatientProposals {
    const hasChain = () => this.#chain.dag.approvedBlock() !== undefined;
    return new PatientProposals({ queue, catchUp: this.#catchUp, hasChain });
  }

  #onChainEvent(event: ChainEvent): void {
    this.#blocks.chainChanged();
    this.#parts.meters.onChainEvent(event);
    this.#board.onChainEvent(event);
    this.#finality.onChainEvent(event);
    this.#events.onChainEvent(event);
    this.#accounts.onChainEvent(event);
    this.#index?.onChange();
    this.#proposing?.onChainEvent(event);
    this.#parts.development?.onChainEvent(event);
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
