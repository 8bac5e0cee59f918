import type { JsonValue } from "../json/printJson.js";
import { type ConditionView, conditionBodies } from "./conditions.js";

/** A peer. Only `/v2/peers` lists its version and its height. @spec 50 §1.4, §1.15 */
export interface PeerView {
  readonly address: string;
  readonly nodeId: string;
  readonly host: string;
  readonly protocolPort: number;
  readonly discoveryPort: number;
  readonly isConnected: boolean;
  /** As it announces; left out: it announces none. */
  readonly version?: string | undefined;
  /** The height of the highest block that it has named or sent; left out: none that this node has. */
  readonly blockNumber?: bigint | undefined;
}

/** A block or two that have just arrived are no reason to be taken out of service. @spec 50 §6.7 */
export const nearBlocks = 3n;

/** How far a node has come; our own addition to `/status`. @spec 50 §8.7 */
export interface SyncStatusView {
  readonly phase: "connecting" | "importingState" | "replaying" | "following" | "stalled";
  readonly blockNumber: bigint | undefined;
  readonly bestPeerBlockNumber: bigint | undefined;
  readonly finalizedBlockNumber: bigint | undefined;
  /** The finished work and, if it is known or can be estimated, all the work. */
  readonly progress: {
    readonly unit: "stateItems" | "blocks";
    readonly done: number;
    readonly total: number | undefined;
    readonly perSecond: number;
  };
  readonly blocksPerSecond: number;
  readonly secondsLeft: number | undefined;
  readonly peers: number;
  /** Stored blocks that could not be judged. @spec 40 §17.3 */
  readonly unvalidatedBlocks: number;
  /** Blocks that are valid though the node had found them invalid. @spec 40 §17.4 */
  readonly revalidatedBlocks: number;
  readonly lastError: string | undefined;
  /** Reasons why the node is stalled or limited; the worst first. Left out: none. */
  readonly conditions?: readonly ConditionView[] | undefined;
  /** Absent where the node is behind, or has no chain yet. */
  readonly finality?: FinalityStatus | undefined;
  /** The step that a lagging node mostly waits for; left out if there is none. */
  readonly bottleneck?: "fetching" | "execution" | undefined;
  /** Peers that blocks came from lately, those with most blocks first. */
  readonly sources?: readonly BlockSourceView[] | undefined;
  /** From this height on the node has replayed every block itself; 0: the whole chain. */
  readonly verifiedFrom?: bigint | undefined;
  /** How far the replay of what lies before is; absent where nothing does, or it is not wanted. */
  readonly history?: HistoryView | undefined;
  /** On a replica alone: how far it is in its stream. */
  readonly replica?: ReplicaView | undefined;
}

/** The last status that a publisher sent to its stream. @spec 50 §8.7 */
export interface PublisherView {
  readonly name: string;
  /** Milliseconds since. */
  readonly lastHeartbeatAgeMs: number;
  /** Events of its node that it had not published. */
  readonly eventsLeft: number;
  readonly isNodeRunning: boolean;
}

/** How far a replica is in the stream that brings its blocks. @spec 50 §8.7 */
export interface ReplicaView {
  /** Where the stream is. */
  readonly server: string;
  readonly isConnected: boolean;
  /** The sequence number of the last accepted message; `undefined` before the first. */
  readonly sequence: number | undefined;
  readonly messagesPending: number;
  /** Messages that it could not take and has passed over since it began. */
  readonly messagesSkipped: number;
  /**
   * Time since the replica was last at the end of the stream while a publisher had confirmed that the stream was
   * complete; infinite before that.
   */
  readonly lagMs: number;
  /** From when the stream had the last block until it was here, by two clocks. */
  readonly lastTookMs: number | undefined;
  /** Why it does not go on; `undefined` where it does. */
  readonly stopReason: string | undefined;
  /** Publishers that sent a heartbeat since the replica began. */
  readonly publishers: readonly PublisherView[];
}

/** The replay of blocks that came before the state which a node began with. @spec 50 §8.7 */
export interface HistoryView {
  readonly phase: "waiting" | "replaying" | "refuted";
  readonly blockNumber: bigint | undefined;
  /** The block with the state that the node began with. */
  readonly target: bigint;
  readonly blocksPerSecond: number;
  /** Why it does not go on, or what is wrong. */
  readonly reason: string | undefined;
}

/** A peer that gave blocks, or parts of a state, lately. @spec 50 §8.7 */
export interface BlockSourceView {
  readonly address: string;
  readonly nodeId: string;
  /** In the last thirty seconds. */
  readonly given: number;
}

/** Whether validators make blocks and finality moves. @spec 50 §8.7 */
export interface FinalityStatus {
  /** How many have stake. */
  readonly validators: number;
  /** Validators that have made no block for a minute, while others have. */
  readonly inactiveValidators: readonly {
    readonly publicKey: string;
    readonly stake: bigint;
    readonly sinceMs: number;
  }[];
  /** Set where there are blocks above the last finalized one and that has not moved for a minute. */
  readonly stalledSinceMs: number | undefined;
  /** All of this in a sentence, without a point; absent where all is well. */
  readonly reason: string | undefined;
}

/** Facts of the root status route. @spec 50 §1.4 */
export interface NodeStatusView {
  /** Whether the node is shutting down and serves requests only for the grace period. */
  readonly isDraining?: boolean | undefined;
  readonly address: string;
  readonly version: string;
  readonly peers: number;
  readonly nodes: number;
  readonly peerList: readonly PeerView[];
  readonly syncStatus: SyncStatusView;
  /** Where there is an index. */
  readonly index?: IndexStatusView | undefined;
}

/** How far a node's index has come. @spec 60 §1 */
export interface IndexStatusView {
  readonly phase: "starting" | "waiting" | "standingBy" | "backfilling" | "following" | "failing";
  readonly blockNumber: bigint | undefined;
  readonly blocksPerSecond: number | undefined;
  readonly lastError: string | undefined;
  /** The height from which on it has all of the chain; `undefined` before that is known. */
  readonly knownSince: bigint | undefined;
}

/** Facts of `/api/status` beside those of the root route. @spec 50 §1.7 */
export interface NetworkFacts {
  readonly networkId: string;
  readonly shardId: string;
  readonly minPhloPrice: bigint;
  /** The additional facts of f1r3node nodes. @spec 50 §10 */
  readonly f1r3node?: F1r3nodeNetworkFacts | undefined;
}

/** Facts of an f1r3node network, and of a node there. @spec 50 §10 */
export interface F1r3nodeNetworkFacts {
  readonly nativeTokenName: string;
  readonly nativeTokenSymbol: string;
  readonly nativeTokenDecimals: number;
  /** In blocks. */
  readonly epochLength: number;
  readonly isValidator: boolean;
}

/** Returns the additional fields of f1r3node nodes' status routes; `undefined` for others. @spec 50 §10 */
export function f1r3nodeStatus({ syncStatus }: NodeStatusView, { f1r3node }: NetworkFacts) {
  if (f1r3node === undefined) return undefined;
  const { isValidator, epochLength, ...token } = f1r3node;
  const finalized = syncStatus.finalizedBlockNumber;
  return {
    ...token,
    lastFinalizedBlockNumber: finalized ?? -1n,
    ...{ isValidator, isReadOnly: !isValidator, isReady: finalized !== undefined },
    currentEpoch: finalized === undefined || epochLength <= 0 ? 0n : finalized / BigInt(epochLength),
    epochLength,
  };
}

/** The body of `GET /status`: rnode's five fields, and `syncStatus`. @spec 50 §1.4, §8.7 */
export function statusBody(status: NodeStatusView): { readonly [key: string]: JsonValue } {
  const { address, version, peers, nodes } = status;
  return { address, version, peers, nodes, peerList: peerList(status), ...progressBody(status) };
}

function progressBody({ syncStatus, index }: NodeStatusView): { readonly [key: string]: JsonValue } {
  if (index === undefined) return { syncStatus: syncStatusBody(syncStatus) };
  const { phase, blockNumber = null, blocksPerSecond = null, lastError = null, knownSince = null } = index;
  const indexBody = { phase, blockNumber, blocksPerSecond, lastError, knownSince };
  return { syncStatus: syncStatusBody(syncStatus), index: indexBody };
}

/** The body of `GET /api/status`. @spec 50 §1.7 */
export function apiStatusBody(status: NodeStatusView, network: NetworkFacts): { readonly [key: string]: JsonValue } {
  return {
    version: { api: "1", node: status.version },
    address: status.address,
    networkId: network.networkId,
    shardId: network.shardId,
    peers: status.peers,
    nodes: status.nodes,
    minPhloPrice: network.minPhloPrice,
    peerList: peerList(status),
    ...f1r3nodeStatus(status, network),
    ...progressBody(status),
  };
}

/** The body of `GET /v2/peers`. @spec 50 §1.15 */
export function peersBody(status: NodeStatusView) {
  return {
    peers: status.peerList.map(({ version = null, blockNumber = null, ...peer }) => ({
      ...peer,
      ...{ version, blockNumber },
    })),
  };
}

function peerList(status: NodeStatusView): JsonValue[] {
  return status.peerList.map(({ address, nodeId, host, protocolPort, discoveryPort, isConnected }) => ({
    address,
    nodeId,
    host,
    protocolPort,
    discoveryPort,
    isConnected,
  }));
}

/** The `syncStatus` of the status routes. @spec 50 §8.7 */
export function syncStatusBody(sync: SyncStatusView): { readonly [key: string]: JsonValue } {
  return {
    phase: sync.phase,
    blockNumber: sync.blockNumber ?? null,
    bestPeerBlockNumber: sync.bestPeerBlockNumber ?? null,
    finalizedBlockNumber: sync.finalizedBlockNumber ?? null,
    progress: {
      unit: sync.progress.unit,
      done: sync.progress.done,
      total: sync.progress.total ?? null,
      perSecond: sync.progress.perSecond,
    },
    blocksPerSecond: sync.blocksPerSecond,
    secondsLeft: sync.secondsLeft ?? null,
    peers: sync.peers,
    unvalidatedBlocks: sync.unvalidatedBlocks,
    revalidatedBlocks: sync.revalidatedBlocks,
    lastError: sync.lastError ?? null,
    conditions: conditionBodies(sync.conditions ?? []),
    finality: sync.finality === undefined ? null : finalityBody(sync.finality),
    bottleneck: sync.bottleneck ?? null,
    verifiedFrom: sync.verifiedFrom ?? null,
    history: sync.history === undefined ? null : { ...sync.history, ...historyGaps(sync.history) },
    sources: (sync.sources ?? []).map(({ address, nodeId, given }) => ({ address, nodeId, given })),
    ...(sync.replica === undefined ? {} : { replica: replicaBody(sync.replica) }),
  };
}

function replicaBody(replica: ReplicaView) {
  const { server, isConnected, sequence, messagesPending, messagesSkipped } = replica;
  const { lagMs, lastTookMs, stopReason, publishers } = replica;
  return {
    ...{ server, isConnected, sequence: sequence ?? null, messagesPending, messagesSkipped },
    lagMs: Number.isFinite(lagMs) ? Math.round(lagMs) : null,
    lastTookMs: lastTookMs ?? null,
    stopReason: stopReason ?? null,
    publishers: publishers.map(({ name, lastHeartbeatAgeMs, eventsLeft, isNodeRunning }) => {
      return { name, lastHeartbeatAgeMs, eventsLeft, isNodeRunning };
    }),
  };
}

function historyGaps({ blockNumber, reason }: HistoryView) {
  return { blockNumber: blockNumber ?? null, reason: reason ?? null };
}

function finalityBody({ validators, inactiveValidators, stalledSinceMs, reason }: FinalityStatus): JsonValue {
  return {
    validators,
    inactiveValidators: inactiveValidators.map(({ publicKey, stake, sinceMs }) => ({
      publicKey,
      stake,
      silentSince: timeText(sinceMs),
    })),
    standsSince: stalledSinceMs === undefined ? null : timeText(stalledSinceMs),
    reason: reason ?? null,
  };
}

function timeText(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
