import type { NodeStatusView, SyncStatusView } from "@vedette/api";
import type { DagView } from "@vedette/chain";
import { type Network, peerUri } from "@vedette/network";
import type { SyncEvent, SyncStatus } from "@vedette/sync";

/** Rates are told for the recent past. */
const rateWindowMs = 30_000;
/** A node that has blocks to do and finishes none for so long is stalled. */
const stallMs = 120_000;

/** Gathers what the status routes tell. @spec 50 §1.4, §8.7 */
export class StatusBoard {
  readonly #nowMs: () => number;
  #bestPeerNumber: bigint | undefined;
  #items = 0;
  #lastError: string | undefined;
  #validatedAtMs: number[] = [];
  #lastProgressMs: number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#lastProgressMs = nowMs();
  }

  failed(message: string): void {
    this.#lastError = message;
  }

  onSyncEvent(event: SyncEvent): void {
    switch (event.type) {
      case "blockAccepted":
      case "joinBlockReceived":
      case "approvedBlockReceived":
        this.#seen(event.block.number);
        return;
      case "statePageImported":
        this.#items = event.totalNodes + event.totalLeaves;
        this.#lastProgressMs = this.#nowMs();
        return;
      case "blockValidated":
        this.#validated();
        return;
      case "blockFailed":
        this.#lastError = event.reason;
        return;
      case "statePageRefused":
        this.#lastError = event.reason;
        return;
      default:
        return;
    }
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
      })),
      syncStatus: this.#syncView(sync, dag),
    };
  }

  #syncView(sync: SyncStatus, dag: DagView): SyncStatusView {
    const left = sync.waitingBlocks + sync.readyBlocks;
    const rate = this.#rate();
    const own = sync.height;
    const best = this.#best(own);
    const isImporting = sync.state === "initializing";
    const done = isImporting ? this.#items : Number(own ?? 0n);
    return {
      phase: this.#phase(sync, left),
      blockNumber: own,
      bestPeerBlockNumber: best,
      finalizedBlockNumber: dag.lastFinalized()?.number,
      progress: { done, total: isImporting || best === undefined ? undefined : Number(best) },
      blocksPerSecond: Math.round(rate * 100) / 100,
      secondsLeft: left === 0 ? (isImporting ? undefined : 0) : rate === 0 ? undefined : Math.ceil(left / rate),
      peers: sync.peers,
      lastError: this.#lastError,
    };
  }

  #phase({ state, peers }: SyncStatus, left: number): SyncStatusView["phase"] {
    if (state === "waiting") return "connecting";
    if (state === "initializing") return "importingState";
    if (left > 0) return this.#nowMs() - this.#lastProgressMs > stallMs ? "stalled" : "replaying";
    return peers === 0 ? "connecting" : "following";
  }

  #best(own: bigint | undefined): bigint | undefined {
    const seen = this.#bestPeerNumber;
    return seen === undefined || (own !== undefined && own > seen) ? own : seen;
  }

  #seen(number: bigint): void {
    if (this.#bestPeerNumber === undefined || number > this.#bestPeerNumber) this.#bestPeerNumber = number;
  }

  #validated(): void {
    const now = this.#nowMs();
    this.#lastProgressMs = now;
    this.#validatedAtMs.push(now);
    this.#forgetOld(now);
  }

  #rate(): number {
    const now = this.#nowMs();
    this.#forgetOld(now);
    const first = this.#validatedAtMs[0];
    if (first === undefined || now - first < 1) return 0;
    return (this.#validatedAtMs.length * 1000) / (now - first);
  }

  #forgetOld(now: number): void {
    const old = this.#validatedAtMs.findIndex((atMs) => now - atMs <= rateWindowMs);
    if (old !== 0) this.#validatedAtMs = old < 0 ? [] : this.#validatedAtMs.slice(old);
  }
}
