import { type NodeStatusView, nearBlocks, type SyncStatusView } from "@vedette/api";
import type { ChainEvent, DagView } from "@vedette/chain";
import { equalBytes } from "@vedette/crypto";
import { type Network, type Peer, peerUri } from "@vedette/network";
import type { Block } from "@vedette/protocol";
import type { SyncEvent, SyncStatus } from "@vedette/sync";
import { PeerContributions } from "./PeerContributions.js";
import { PeerHeights } from "./PeerHeights.js";
import { RecentRate } from "./RecentRate.js";
import { replayLimitText } from "./replayLimit.js";
import { StateProgress } from "./StateProgress.js";

/** Rates are measured over the recent past. */
const rateWindowMs = 30_000;
/** A node that has work and finishes none for this time is stalled. */
const stallMs = 120_000;

/** Milliseconds that a node waits for a peer's statement about its chain before it uses what it has. */
const tipsMs = 60_000;
/** The time if it has a chain and is connected: then peers answer at once. */
const answerMs = 10_000;

/** Gathers what the status routes return. @spec 50 §1.4, §8.7 */
export class StatusBoard {
  readonly #nowMs: () => number;
  readonly #validated = new RecentRate(rateWindowMs);
  readonly #imported = new RecentRate(rateWindowMs);
  readonly #sources = new PeerContributions(rateWindowMs);
  readonly #heights = new PeerHeights();
  /** Height of the block that the bootstrap gave to begin with. */
  #approvedHeight: bigint | undefined;
  #state = new StateProgress();
  #expectsPeers = false;
  /** Since when this node waits for a peer to report how far the chain is. */
  #awaitsTipsSinceMs: number | undefined;
  /** Since when the node has a chain; `undefined` once it has all blocks that its peers have named since then. */
  #enteredMs: number | undefined;
  /** Peers that have named a block since then: a peer that has just joined as well has no new block to name. */
  readonly #answered = new Set<string>();
  #lastError: string | undefined;
  #joinFailure: string | undefined;
  /** The last block that this node could not judge, until it is judged or the chain has gone on without it. */
  #limit: { readonly block: Block; readonly text: string } | undefined;
  #lastProgressMs: number;
  /** Whether a block has come since the last one was done. */
  #hasBegun = false;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#lastProgressMs = nowMs();
  }

  failed(message: string): void {
    this.#joinFailure = message;
    this.#lastError = message;
  }

  /** Whether a peer is connected, was connected, or is expected. */
  get expectsPeers(): boolean {
    return this.#expectsPeers;
  }

  /** Why there is no chain yet, where something keeps the node from having one. */
  get joinFailure(): string | undefined {
    return this.#joinFailure;
  }

  /** The block that goes beyond this node's limits, and still holds up others. */
  get limit(): string | undefined {
    return this.#limit?.text;
  }

  onChainEvent(event: ChainEvent): void {
    const text = event.type === "blockRefused" ? replayLimitText(event.block, event.status) : undefined;
    if (event.type === "blockRefused" && text !== undefined) this.#limit = { block: event.block, text };
    else if (event.type === "blockAdded" && this.#limit !== undefined && isSame(event.block, this.#limit.block))
      this.#limit = undefined;
  }

  onSyncEvent(event: SyncEvent): void {
    switch (event.type) {
      case "launched":
        this.#state = new StateProgress();
        this.#progressed();
        return;
      case "waitingForFirstConnection":
        this.#expectsPeers = true;
        this.#awaitsTipsSinceMs = this.#nowMs();
        return;
      case "hashIgnored":
      case "hashAccepted":
        this.#peerNamed(event);
        return;
      case "enteredRunning":
        this.#enteredMs = this.#nowMs();
        this.#answered.clear();
        this.#joinFailure = undefined;
        return;
      case "approvedBlockReceived":
        this.#approvedHeight = event.block.number;
        this.#joinFailure = undefined;
        return;
      case "noApprovedBlock":
        this.#joinFailure = "the bootstrap has no block to begin with yet";
        return;
      case "blockAccepted":
      case "joinBlockReceived":
        this.#gotBlock(event);
        return;
      case "stateRequested":
        this.#state.requested(event.startPath);
        return;
      case "statePageImported":
        this.#state.imported(event.totalNodes + event.totalLeaves);
        this.#imported.add(event.nodes + event.leaves, this.#nowMs());
        this.#sources.gave(event.peer, event.nodes + event.leaves, this.#nowMs());
        this.#progressed();
        return;
      case "rangeReceived":
        this.#sources.gave(event.peer, event.blocks, this.#nowMs());
        return;
      case "blockValidated":
        this.#validated.add(1, this.#nowMs());
        this.#progressed();
        this.#hasBegun = false;
        return;
      case "approvedBlockRefused":
      case "approvedBlockRequestFailed":
        this.#joinFailure = event.reason;
        this.#lastError = event.reason;
        return;
      case "unknownRulesSeen":
      case "blockFailed":
      case "statePageRefused":
      case "horizonIncomplete":
        this.#lastError = event.reason;
        return;
      default:
        return;
    }
  }

  #peerNamed({ peer, hash }: { readonly peer: Peer; readonly hash: Uint8Array }): void {
    this.#awaitsTipsSinceMs = undefined;
    if (this.#enteredMs !== undefined) this.#answered.add(peer.id);
    this.#heights.named(peer.id, hash);
  }

  #gotBlock({ peer, block }: { readonly peer: Peer | undefined; readonly block: Block }): void {
    this.#awaitsTipsSinceMs = undefined;
    if (peer !== undefined) {
      this.#sources.gave(peer, 1, this.#nowMs());
      this.#heights.named(peer.id, block.hash);
    }
    // The block's statements are unchecked. A node without work before it was not stalled.
    if (!this.#hasBegun) this.#progressed();
    this.#hasBegun = true;
  }

  view(network: Network, sync: SyncStatus, dag: DagView, version: string): NodeStatusView {
    const connected = new Set(network.peers.map(({ id }) => id));
    return {
      address: peerUri(network.local),
      version,
      peers: network.peers.length,
      nodes: network.knownPeers.length,
      peerList: network.knownPeers.map((peer) => ({
        address: peerUri(peer),
        nodeId: peer.id,
        host: peer.host,
        protocolPort: peer.protocolPort,
        discoveryPort: peer.discoveryPort,
        isConnected: connected.has(peer.id),
        version: network.versionOf(peer),
        blockNumber: this.#heights.heightOf(peer.id, dag),
      })),
      syncStatus: this.syncView(sync, dag.lastFinalized()?.number),
    };
  }

  /** How far the node has come. @spec 50 §8.7 */
  syncView(sync: SyncStatus, finalizedBlockNumber: bigint | undefined): SyncStatusView {
    if (sync.peers > 0) this.#expectsPeers = true;
    if (this.#limit !== undefined && this.#limit.block.number <= (finalizedBlockNumber ?? -1n)) this.#limit = undefined;
    const best = sync.bestHeight ?? sync.height ?? this.#approvedHeight;
    const work = sync.state === "initializing" ? this.#importing() : this.#replaying(sync, best);
    const isNear = (best ?? 0n) - (sync.height ?? 0n) <= nearBlocks;
    const phase = this.#phase(sync, work.left, isNear);
    return {
      phase,
      blockNumber: sync.height,
      bestPeerBlockNumber: best,
      finalizedBlockNumber,
      progress: work.progress,
      blocksPerSecond: hundredths(this.#validated.perSecond(this.#nowMs())),
      secondsLeft: secondsFor(work.left, work.progress.perSecond),
      peers: sync.peers,
      unvalidatedBlocks: sync.unvalidatedBlocks,
      revalidatedBlocks: sync.revalidatedBlocks,
      lastError: this.#limit?.text ?? this.#lastError,
      bottleneck: limitOf(phase, sync),
      sources: this.#sources.view(this.#nowMs()),
    };
  }

  #importing(): Work {
    const total = this.#state.estimatedTotal();
    const done = this.#state.items;
    const perSecond = hundredths(this.#imported.perSecond(this.#nowMs()));
    return {
      progress: { unit: "stateItems", done, total, perSecond },
      left: total === undefined ? undefined : total - done,
    };
  }

  #replaying(
    { height = 0n, waitingBlocks, validatableBlocks, requestedBlocks }: SyncStatus,
    best: bigint | undefined,
  ): Work {
    const behind = best === undefined ? 0 : Number(best - height);
    // Any key can sign blocks with parents that do not exist, so heights without obtainable blocks are no work.
    const isFilled = waitingBlocks + validatableBlocks + requestedBlocks > 0;
    const perSecond = hundredths(this.#validated.perSecond(this.#nowMs()));
    const total = best === undefined ? undefined : Number(best);
    return {
      progress: { unit: "blocks", done: Number(height), total, perSecond },
      left: isFilled ? Math.max(validatableBlocks, behind) : 0,
    };
  }

  #phase(sync: SyncStatus, left: number | undefined, isNear: boolean): SyncStatusView["phase"] {
    const { state, peers } = sync;
    if (state === "waiting") return "connecting";
    const isStalled = this.#nowMs() - this.#lastProgressMs > stallMs;
    if (state === "initializing") return isStalled ? "stalled" : "importingState";
    const hasJustBegun = this.#hasJustBegun(sync);
    // The first of its blocks are here: the others may be any number.
    if (left !== 0 && !(hasJustBegun && isNear)) return isStalled ? "stalled" : "replaying";
    if (peers === 0 && this.#expectsPeers) return "connecting";
    return this.#awaitsTips || hasJustBegun ? "connecting" : "following";
  }

  /** How high the chain is follows from blocks that are here: until the first ones are, a joiner seems to have them all. */
  #hasJustBegun(sync: SyncStatus): boolean {
    const since = this.#enteredMs;
    if (since === undefined || !this.#expectsPeers) return false;
    const passedMs = this.#nowMs() - since;
    const haveAllAnswered = this.#answered.size >= Math.max(1, sync.peers) || passedMs > answerMs;
    const hasWork = this.#answered.size > 0 && !isIdle(sync) && passedMs <= tipsMs;
    if (!haveAllAnswered || hasWork) return true;
    this.#enteredMs = undefined;
    return false;
  }

  /** Whether it waits for a peer's statement: with only the first block, it would else seem complete. */
  get #awaitsTips(): boolean {
    const since = this.#awaitsTipsSinceMs;
    return since !== undefined && this.#nowMs() - since <= tipsMs;
  }

  #progressed(): void {
    this.#lastProgressMs = this.#nowMs();
  }
}

/** Blocks that could be executed at once wait for the executor; where there are none, peers are waited for. */
function limitOf(phase: SyncStatusView["phase"], { validatableBlocks }: SyncStatus): SyncStatusView["bottleneck"] {
  if (phase === "importingState") return "fetching";
  if (phase !== "replaying" && phase !== "stalled") return undefined;
  return validatableBlocks > 0 ? "execution" : "fetching";
}

function isIdle({
  waitingBlocks,
  waitingOfUnbonded = 0,
  validatableBlocks,
  requestedBlocks,
  offeredBlocks = 0,
}: SyncStatus) {
  return waitingBlocks <= waitingOfUnbonded && validatableBlocks + requestedBlocks + offeredBlocks === 0;
}

interface Work {
  readonly progress: SyncStatusView["progress"];
  /** `undefined` where it is unknown. */
  readonly left: number | undefined;
}

function isSame(one: Block, other: Block): boolean {
  return equalBytes(one.hash, other.hash);
}

function secondsFor(left: number | undefined, perSecond: number): number | undefined {
  if (left === 0) return 0;
  return left === undefined || perSecond === 0 ? undefined : Math.ceil(left / perSecond);
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
