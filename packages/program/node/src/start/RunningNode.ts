import type { NodeStatusView } from "@vedette/api";
import { BlockTable, type Chain, type ChainEvent, noteDamagedBlocks, noteMerge } from "@vedette/chain";
import { versionText } from "@vedette/config";
import { type Line, lineOf, warn } from "@vedette/config/log";
import type { DeployNote } from "@vedette/execution";
import { CatchUpBatcher, executorPipeline, PeerBlockDecoder, type SpeculativeReplay } from "@vedette/executor";
import { isBehind } from "@vedette/executor/threads";
import { type EmitNetworkEvent, Network, peerUri } from "@vedette/network";
import type { Block } from "@vedette/protocol";
import type { ApiQueries } from "@vedette/queries";
import { type BatchingStore, isDiskFull, watchDamage } from "@vedette/store";
import type { SyncEvent } from "@vedette/sync";
import type { NodeConsensus } from "../dialect/NodeDialect.js";
import { NodeWatch } from "../observe/NodeWatch.js";
import { networkLines } from "../observe/networkLines.js";
import { noteLines } from "../observe/noteLines.js";
import { otherNodeLine } from "../observe/otherNodeLine.js";
import { noPeerLine } from "../observe/proposeLines.js";
import { StartMoments } from "../observe/StartMoments.js";
import { syncLines } from "../observe/syncLines.js";
import { watchNode } from "../observe/watchNode.js";
import { type DeployRelay, relayOf } from "../propose/DeployRelay.js";
import type { Proposing } from "../propose/Proposing.js";
import { HistoryVerificationService } from "../verify/HistoryVerificationService.js";
import { chainRulesOf } from "./chainRules.js";
import { machineClock } from "./DevChainHooks.js";
import { EngineSupervisor } from "./EngineSupervisor.js";
import { engineOf } from "./engineOf.js";
import { isFarBehind } from "./FarBehind.js";
import type { NodeParts } from "./NodeParts.js";
import { bootstrapOf, networkOptionsOf } from "./nodeNetwork.js";
import { movingHost, ownAddress } from "./ownAddress.js";
import { ProposeSyncGate } from "./ProposeSyncGate.js";
import { SavedPeers } from "./rememberedPeers.js";
import { ServedChain } from "./ServedChain.js";
import { SyncGatedProposePort } from "./SyncGatedProposePort.js";
import { proposingOf } from "./startProposing.js";

/** Events that change the status at once; mere counts may show in it a moment later. */
const changingStatus: ReadonlySet<SyncEvent["type"]> = new Set([
  "launched",
  "waitingForFirstConnection",
  "approvedBlockReceived",
  "enteredRunning",
  "blockValidated",
  "blockFailed",
]);

/** The parts of a running node, wired to each other. */
export class RunningNode {
  readonly #parts: NodeParts;
  readonly #served: ServedChain;
  readonly #consensus: NodeConsensus;
  readonly #ahead: SpeculativeReplay;
  readonly #groups: CatchUpBatcher;
  readonly #moments = new StartMoments();
  readonly #watched: NodeWatch;
  #relay: DeployRelay | undefined;
  readonly #catchUp = new ProposeSyncGate();
  readonly #proposing: Proposing | undefined;
  #network: Network | undefined;
  #proof: HistoryVerificationService | undefined;

  constructor(parts: NodeParts & { readonly store: BatchingStore }) {
    this.#parts = parts;
    const { store, executor, config, dialect, validator, log, meters, development } = parts;
    this.#watched = new NodeWatch({ bootstrap: bootstrapOf(config), dag: () => this.#chain.dag });
    const blocks = new BlockTable(store, { form: dialect.protocol.blockForm });
    const clock = development?.clock ?? machineClock;
    const calls = executorPipeline({
      ...{ thread: executor, blocks },
      groups: (thread) =>
        new CatchUpBatcher({
          ...{ store, thread, nowMs: () => performance.now() },
          mayHold: () => parts.mayHold && this.#isFarBehind(),
          emit: (event) => this.#served.publish(event),
        }),
    });
    this.#groups = calls.groups;
    this.#ahead = calls.ahead;
    this.#consensus = dialect.consensus({
      ...{ config, store, executor: calls.executor },
      provideState: (root) => this.#provideState(root),
      listener: {
        onMerge: (block, scope, merged) => noteMerge(store, block, scope, merged),
        onNotes: (block, notes) => this.#onNotes(block, notes),
      },
      bonds: development?.bonds,
    });
    const { execution, proposing, chain: consensus } = this.#consensus;
    this.#served = new ServedChain({
      ...{ parts, execution, consensus, nowMs: clock.nowMs },
      rules: chainRulesOf(config, parts.emptyStateHash),
      isBehind: () => this.#isBehind(),
      isFarBehind: () => this.#isFarBehind(),
      onChainEvent: (event) => this.#onChainEvent(event),
      held: this.#groups,
    });
    if (validator !== undefined) {
      const [chain, catchUp, network] = [this.#chain, this.#catchUp, () => this.#network];
      const onBlockCreated = (block: Block) => this.#served.events.onBlockCreated(block);
      this.#proposing = proposingOf({
        ...{
          config,
          dialect,
          chain,
          store,
          validator,
          rules: proposing,
          catchUp,
          network,
          log,
          meters,
          onBlockCreated,
        },
        onDeployTaken: (deploy) => this.#relay?.taken(deploy),
        room: parts.room,
        development,
      });
    }
  }

  get #chain(): Chain {
    return this.#served.chain;
  }

  #provideState: (root: Uint8Array) => Promise<void> = async () => undefined;

  #isBehind: () => boolean = () => false;

  #isFarBehind: () => boolean = () => false;

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

  /** Logs what deploys wrote; at the debug level while the node is behind, since the blocks are old then. */
  #onNotes(block: Block, notes: readonly DeployNote[]): void {
    for (const line of noteLines(block, notes, this.#isBehind())) this.#say(line);
  }

  async run(stop: AbortSignal): Promise<void> {
    const signal = this.#served.draining(stop);
    const { config, identity, log, room } = this.#parts;
    const { chain: path } = this.#parts.directory;
    using _damage = watchDamage((damaged) => {
      if (damaged.path !== path) return;
      // It is noted when it is read the next time, then.
      noteDamagedBlocks(this.#parts.store, damaged).catch(() => undefined);
    });
    await this.#chain.blocks.discardLeftovers();
    await this.#consensus.prepare?.();
    const certificate = identity.certificatePem;
    const local = await ownAddress({ config, certificate, log, signal });
    const bootstrap = bootstrapOf(config);
    const remembered = new SavedPeers(this.#parts.directory.path);
    const emitNetwork: EmitNetworkEvent = (event) => {
      this.#onNetworkEvent(event);
      if (event.type === "peersChanged") remembered.write(this.#network?.peers ?? []);
    };
    const known = remembered.read();
    const place = { local, bootstrap, remembered: known, ownHost: movingHost({ config, signal }), emit: emitNetwork };
    await using network = new Network(networkOptionsOf(this.#parts, place));
    this.#network = network;
    this.#relay = relayOf(config, network, this.#proposing);
    const emit = (event: SyncEvent) => this.#onSyncEvent(event);
    await using reading = new PeerBlockDecoder(this.#parts.dialect.protocol);
    const engineParts = { ...this.#parts, executor: this.#groups.executor };
    const sync = this.#consensus.sync(this.#chain);
    const surroundings = { chain: this.#chain, sync, ahead: this.#ahead, reading, network, bootstrap, emit };
    const engine = new EngineSupervisor({ create: () => engineOf(engineParts, surroundings), room });
    this.#provideState = (root) => this.#counted(engine.value.provideState(root, signal));
    this.#isBehind = () => isBehind(engine.value.status(), this.#parts.executorCalls());
    this.#isFarBehind = () => isFarBehind(engine.value.status());
    const proof = new HistoryVerificationService({
      ...{ parts: this.#parts, network, bootstrap },
      approved: () => this.#chain.blocks.approvedBlock()?.candidate.block,
      first: () => this.#chain.dag.approvedBlock(),
      isBehind: () => this.#isBehind(),
      say: (line) => this.#say(line),
    });
    this.#proof = proof;
    const queries = this.#queries(network, engine);
    this.#watch(network, engine, queries);
    await using _index = this.#served.index;
    await using servers = await this.#served.serve(queries);
    this.#served.events.onMoment({ event: "node-started", address: peerUri(local) });
    const ended = new AbortController();
    const whileRunning = AbortSignal.any([signal, ended.signal]);
    const proposing = this.#propose(engine, bootstrap !== undefined || known.length > 0, whileRunning);
    if (this.#parts.development === undefined)
      await network.start(async (peer, typeId, content) => {
        if (!(await proof.handlePacket(peer, typeId, content))) await engine.handlePacket(peer, typeId, content);
      }, signal);
    else void this.#reportOfInside(engine, queries, whileRunning);
    const isRunning = () =>
      room.isOpen && engine.value.status().state === "running" && this.#provided === 0 && !this.#groups.isHolding;
    const serving = this.#served.run(() => this.#status(network, engine), isRunning, whileRunning);
    const proving = proof.run(() => engine.value.status().state === "running", whileRunning);
    try {
      await engine.run((message, pauseMs) => this.#couldNotJoin(message, pauseMs), signal);
    } finally {
      ended.abort();
      // Answers that are under way are made from what is closed now.
      await servers[Symbol.asyncDispose]();
      await Promise.all([proposing, serving, proving]);
      // Data that were not written are fetched again.
      await this.#groups[Symbol.asyncDispose]().catch((error: unknown) => {
        if (!isDiskFull(error)) throw error;
      });
      this.#consensus.close?.();
    }
  }

  #onNetworkEvent(event: Parameters<EmitNetworkEvent>[0]): void {
    this.#parts.meters.onNetworkEvent(event, this.#network?.knownPeers.length ?? 0);
    this.#watched.onNetworkEvent(event);
    if (event.type === "peersChanged") this.#served.statusChanged();
    this.#say(lineOf(networkLines, event));
  }

  async #reportOfInside(engine: EngineSupervisor, queries: ApiQueries, signal: AbortSignal): Promise<void> {
    const [chain, proposing] = [this.#chain, this.#proposing];
    await engine.running(signal);
    if (!signal.aborted && proposing !== undefined) this.#parts.development?.begun({ chain, proposing, queries });
  }

  #couldNotJoin(message: string, pauseMs: number): void {
    this.#watched.board.failed(message);
    this.#parts.log(warn(`${message} Trying again in ${pauseMs / 1000} seconds.`));
  }

  #watch(network: Network, engine: EngineSupervisor, queries: ApiQueries): void {
    const { meters, directory, executorCalls, readers } = this.#parts;
    const pool = this.#proposing?.pool;
    watchNode(meters, {
      ...{ version: versionText, executorCalls, readers },
      stores: { chain: directory.chain, state: directory.state },
      pooledDeploys: pool === undefined ? undefined : () => pool.size,
      eventReaders: () => this.#served.events.connections,
      peerConnections: () => network.inbound,
      blocks: () => {
        const { waitingBlocks, validatableBlocks, unvalidatedBlocks } = engine.value.status();
        return { waiting: waitingBlocks, ready: validatableBlocks, unjudged: unvalidatedBlocks };
      },
      status: () => queries.status.now().syncStatus,
    });
  }

  /** Proposes, on a validator, once the node has a chain and the blocks of its peers. */
  async #propose(engine: EngineSupervisor, expectsPeers: boolean, signal: AbortSignal): Promise<void> {
    if (this.#proposing === undefined) return;
    await engine.running(signal);
    // The founder of a network that runs alone has no peer to wait for.
    const hasProposed = this.#proposing.proposer.hasProposed || this.#parts.config.standalone;
    const waitsForPeer = () => this.#parts.log(noPeerLine);
    await this.#catchUp.run(() => engine.value.status(), { expectsPeers, hasProposed, waitsForPeer }, signal);
    if (!signal.aborted) await this.#proposing.run(signal);
  }

  #queries(network: Network, engine: EngineSupervisor): ApiQueries {
    const { validator } = this.#parts;
    const proposing = this.#proposing;
    return this.#served.queries(() => this.#status(network, engine), {
      validator:
        validator === undefined || proposing === undefined
          ? undefined
          : { publicKey: validator.publicKey, deploys: proposing, proposals: this.#proposals(proposing) },
      isRunning: () => engine.value.status().state === "running",
      mayReport: this.#parts.development !== undefined,
    });
  }

  #status(network: Network, engine: EngineSupervisor): NodeStatusView {
    const status = this.#watched.board.view(network, engine.value.status(), this.#chain.dag, versionText);
    const { dag } = this.#chain;
    const finality = this.#served.finality.viewIn(status.syncStatus.phase, dag);
    const history = this.#proof?.view();
    return this.#served.withConditions(
      { ...status, syncStatus: { ...status.syncStatus, finality, ...history } },
      {
        ...this.#watched.found(),
        proposingWaits: this.#proposing === undefined ? undefined : this.#catchUp.reason,
      },
    );
  }

  #proposals({ queue }: Proposing): SyncGatedProposePort {
    const hasChain = () => this.#chain.dag.approvedBlock() !== undefined;
    return new SyncGatedProposePort({ queue, catchUp: this.#catchUp, hasChain });
  }

  #onChainEvent(event: ChainEvent): void {
    this.#watched.onChainEvent(event);
    this.#proposing?.onChainEvent(event);
    this.#parts.development?.onChainEvent(event);
  }

  #onSyncEvent(event: SyncEvent): void {
    this.#watched.onSyncEvent(event);
    this.#parts.meters.onSyncEvent(event);
    if (changingStatus.has(event.type)) this.#served.statusChanged();
    if (event.type === "enteredRunning") this.#served.chainStarted();
    const moment = this.#moments.of(event);
    if (moment !== undefined) this.#served.events.onMoment(moment);
    const say = () => this.#say(lineOf(syncLines, event));
    if (event.type === "blockValidated") this.#groups.whenOnDisk(say);
    else say();
    this.#say(otherNodeLine(event, this.#parts.validator?.publicKey));
  }

  #say(line: Line | undefined): void {
    this.#served.say(line);
  }
}
