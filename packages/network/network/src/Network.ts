import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Connections } from "./connection/Connections.js";
import { type GreeterTimes, HandshakeScheduler } from "./connection/HandshakeScheduler.js";
import { Heartbeats } from "./connection/Heartbeats.js";
import { handleMessage } from "./connection/handleMessage.js";
import { type ConnectionMaintenanceDeps, handshakeRound, offerHandshake } from "./connection/maintain.js";
import { shuffle } from "./connection/shuffle.js";
import { discover } from "./discovery/discover.js";
import { KademliaClient } from "./discovery/KademliaClient.js";
import { KademliaServer } from "./discovery/KademliaServer.js";
import { KademliaTable } from "./discovery/KademliaTable.js";
import { isUsableHost, type ResolveHost, resolveHost } from "./discovery/publicHost.js";
import { UnprovenPeers } from "./discovery/UnprovenPeers.js";
import type { ExtensionHandler } from "./extension/ExtensionServer.js";
import type { GrpcServerLimits, PeerConnectionCounts } from "./grpc/PeerGrpcServer.js";
import type { EmitNetworkEvent } from "./NetworkEvent.js";
import { type Peer, peerKey } from "./Peer.js";
import type { PeerMessage, TransportDialect } from "./transport/peerMessage.js";
import {
  type OutboundLimits,
  type PeerExtensionRequest,
  type StreamContent,
  TransportClient,
} from "./transport/TransportClient.js";
import { type InboundLimits, TransportServer } from "./transport/TransportServer.js";

/** How a node takes part in a network. @spec 10 §3–§7 */
export interface NetworkOptions {
  /** Certificate and key of the node, as PEM texts. */
  readonly certificate: string;
  readonly privateKey: string;
  readonly networkId: string;
  readonly dialect: TransportDialect;
  /** The program and its version, which peers may show. @spec 10 §3.7 */
  readonly version?: string | undefined;
  /** Own node as it is announced; a port of 0 is replaced by the free one that was taken. */
  readonly local: Peer;
  /** Put in the table at the start; `undefined` for a node that waits to be found. */
  readonly bootstrap?: Peer | undefined;
  /** Peers of an earlier run; those that answer are connected again, also when the bootstrap is gone. */
  readonly remembered?: readonly Peer[];
  /** Interface to listen on; all without. */
  readonly bindHost?: string | undefined;
  readonly allowPrivateAddresses: boolean;
  readonly emit: EmitNetworkEvent;
  readonly nowMs: () => number;
  readonly inbound?: Partial<InboundLimits>;
  readonly outbound?: Partial<OutboundLimits>;
  readonly server?: Partial<GrpcServerLimits>;
  /** Looks for the own address again in every maintenance round (`dynamic-ip`). */
  readonly ownHost?: () => Promise<string>;
  readonly resolve?: ResolveHost;
  readonly random?: (below: number) => number;
  readonly discoveryIntervalMs?: number;
  readonly maintenanceIntervalMs?: number;
  readonly greeter?: Partial<GreeterTimes>;
  readonly networkTimeoutMs?: number;
  readonly heartbeatBatchSize?: number;
  /** Questions in a row that a peer may leave without an answer; left out: as the dialect's nodes do. */
  readonly heartbeatFailures?: number | undefined;
  /** Fan-out of a broadcast (`batch-max-connections`). */
  readonly broadcastPeers?: number;
  readonly maxConnections?: number;
}

/** Handles a packet of a peer, sent or streamed; it may reject. */
export type HandlePacket = (peer: Peer, typeId: string, content: Uint8Array) => Promise<void>;

const defaults = {
  discoveryIntervalMs: 20_000,
  maintenanceIntervalMs: 600_000,
  networkTimeoutMs: 5000,
  heartbeatBatchSize: 100,
  broadcastPeers: 20,
  maxConnections: 500,
};

/**
 * Handshakes that are offered in every round: no peer may cause calls to thousands of hosts. Peers named by pings,
 * which any host can send, take no place of those that known peers have named.
 */
const handshakesPerRound = { proven: 32, named: 24, pinged: 8 } as const;
/** Peers that wait for a handshake. */
const maxUnproven = { named: 256, pinged: 64 } as const;
/** Host names of peers that pings name, which are looked up at one time. */
const maxLookedUp = 4;

/**
 * A node's part in the network of peers: transport, connections and discovery.
 *
 * @spec 10 §3, §4, §5, §8
 */
export class Network implements AsyncDisposable {
  readonly #options: NetworkOptions & typeof defaults;
  readonly #ended = new AbortController();
  readonly #connections: Connections;
  readonly #table: KademliaTable;
  readonly #client: TransportClient;
  readonly #server: TransportServer;
  readonly #kademliaClient: KademliaClient;
  readonly #kademliaServer: KademliaServer;
  readonly #greeter: HandshakeScheduler;
  readonly #heartbeats: Heartbeats;
  /** By answers of peers. */
  readonly #named = new UnprovenPeers(maxUnproven.named);
  /** Named by pings and lookups, in which any host can name any other. */
  readonly #pinged = new UnprovenPeers(maxUnproven.pinged);
  readonly #lookedUp = new Set<string>();
  readonly #loops: Promise<void>[] = [];
  #handlePacket: HandlePacket = async () => {};
  #local: Peer;

  constructor(options: NetworkOptions) {
    this.#options = { ...defaults, ...options };
    this.#local = options.local;
    const { certificate, privateKey, networkId, dialect, emit, nowMs, allowPrivateAddresses } = options;
    const local = () => this.#local;
    this.#connections = new Connections(emit, this.#options.maxConnections);
    this.#table = new KademliaTable(options.local.id);
    this.#client = new TransportClient({
      ...{ certificate, privateKey, networkId, dialect, local, emit, nowMs },
      limits: { sendDeadlineMs: dialect.transport.sendDeadlineMs(this.#options.networkTimeoutMs), ...options.outbound },
    });
    this.#server = new TransportServer({
      ...{ certificate, privateKey, networkId, dialect, local, emit, nowMs },
      handle: (sender, message) => this.#handle(sender, message),
      limits: options.inbound,
      version: options.version,
      serverLimits: options.server,
    });
    const onNamed = (peer: Peer) => void this.#wasNamed(peer);
    this.#kademliaServer = new KademliaServer({ networkId, table: this.#table, onNamed });
    this.#kademliaClient = new KademliaClient({
      ...{ networkId, local, allowPrivateAddresses },
      timeoutMs: this.#options.networkTimeoutMs,
      resolve: options.resolve ?? resolveHost,
      signal: this.#ended.signal,
    });
    this.#greeter = new HandshakeScheduler({ ...this.#upkeep(), nowMs }, options.greeter);
    const { upkeep } = dialect.transport;
    const facts = { ...upkeep, maxMissedBeats: options.heartbeatFailures ?? upkeep.maxMissedBeats };
    const onDropped = ({ id }: Peer) => {
      if (facts.removesDropped && id !== options.bootstrap?.id) this.#table.remove(id);
    };
    this.#heartbeats = new Heartbeats({ ...this.#upkeep(), facts, onDropped });
  }

  /** Own node, with the ports that are in use. */
  get local(): Peer {
    return this.#local;
  }

  /** The connected peers. @spec 10 §4 */
  get peers(): readonly Peer[] {
    return this.#connections.peers;
  }

  /** The peers in the discovery table. @spec 10 §5 */
  get knownPeers(): readonly Peer[] {
    return this.#table.peers;
  }

  /** Connections that peers have opened to each port, by what they do. */
  get inbound(): Readonly<Record<"protocol" | "discovery", PeerConnectionCounts>> {
    return { protocol: this.#server.connections, discovery: this.#kademliaServer.connections };
  }

  /**
   * Listens on both ports, then looks for peers until it is disposed of.
   *
   * @spec 10 §8
   * @throws {NetworkError} `portInUse`, `cannotListen`; nothing is left open then
   */
  async start(handlePacket: HandlePacket, signal?: AbortSignal): Promise<void> {
    this.#handlePacket = handlePacket;
    const { bindHost, bootstrap, emit } = this.#options;
    signal?.addEventListener("abort", () => this.#ended.abort(), { once: true });
    try {
      const protocolPort = await this.#server.listen(this.#local.protocolPort, bindHost);
      this.#local = { ...this.#local, protocolPort };
      const discoveryPort = await this.#kademliaServer.listen(this.#local.discoveryPort, bindHost);
      this.#local = { ...this.#local, discoveryPort };
    } catch (error) {
      await this[Symbol.asyncDispose]();
      throw error;
    }
    emit({ type: "kademliaStarted", host: this.#local.host, port: this.#local.discoveryPort });
    emit({ type: "listening", local: this.#local });
    // The operator configured its address.
    if (bootstrap !== undefined) this.#enterProven(bootstrap);
    this.#loops.push(
      this.#greeter.retryUntilConnected(
        { known: () => this.#acquaintances(), named: () => this.#unproven() },
        this.#ended.signal,
      ),
      this.#repeat(this.#options.discoveryIntervalMs, () => this.#discover()),
      this.#repeat(this.#options.maintenanceIntervalMs, () => this.#maintain()),
    );
  }

  /** Resolves when there is a connection. @spec 10 §8 */
  firstConnection(signal: AbortSignal = this.#ended.signal): Promise<void> {
    return this.#connections.first(AbortSignal.any([signal, this.#ended.signal]));
  }

  /** Offers a handshake to one peer; its answer adds it to {@link peers}. @returns whether the peer took it */
  connect(peer: Peer): Promise<boolean> {
    return offerHandshake(this.#upkeep(), peer, this.#ended.signal);
  }

  /** Sends one packet. @throws {NetworkError} @spec 10 §3.5 */
  send(peer: Peer, typeId: string, content: Uint8Array, signal?: AbortSignal): Promise<void> {
    return this.#client.send(peer, { type: "packet", typeId, content }, signal);
  }

  /** Queues content to be streamed. @returns whether there was room @spec 10 §3.6 */
  stream(peer: Peer, typeId: string, content: StreamContent): boolean {
    return this.#client.stream(peer, typeId, content);
  }

  /** Whether a peer has announced that it answers requests of an extension. @spec 10 §3.7 */
  understands(peer: Peer, extension: string): boolean {
    return this.#client.understands(peer, extension);
  }

  /** Returns the version that a peer announced; `undefined` where it announced none. @spec 10 §3.7 */
  versionOf(peer: Peer): string | undefined {
    return this.#client.versionOf(peer);
  }

  /** Sends a peer a request beyond the family's protocol. @throws {NetworkError} @spec 10 §3.7 */
  ask(peer: Peer, question: PeerExtensionRequest): Promise<Uint8Array> {
    return this.#client.ask(peer, question);
  }

  /** Registers the handler for an extension's requests; answers to peers list the extension. @spec 10 §3.7 */
  answer(extension: string, answer: ExtensionHandler): void {
    this.#server.answer(extension, async (peerId, question, signal) =>
      this.#connections.peers.some(({ id }) => id === peerId) ? answer(peerId, question, signal) : undefined,
    );
  }

  /**
   * Sends one packet to random connected peers, ignoring failures.
   *
   * @spec 10 §4
   * @param scope how many peers; `batch-max-connections` without it
   */
  async broadcast(typeId: string, content: Uint8Array, scope = this.#options.broadcastPeers): Promise<void> {
    const chosen = this.randomPeers(scope);
    await Promise.allSettled(chosen.map((peer) => this.send(peer, typeId, content)));
  }

  /** Some connected peers, in random order. @spec 10 §4 */
  randomPeers(count: number): Peer[] {
    return shuffle(this.#connections.peers, this.#options.random ?? randomInt).slice(0, count);
  }

  /** Drops a connected peer without a word; discovery may find it again. */
  forget(id: string): void {
    this.#connections.remove(id);
  }

  /** Sends a disconnect message to the peers, then closes all connections and servers. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#ended.signal.aborted) {
      const farewell = this.#connections.peers.map((peer) => this.#client.send(peer, { type: "disconnect" }));
      await Promise.race([Promise.allSettled(farewell), sleep(farewellMs, undefined, { ref: false })]);
    }
    this.#ended.abort();
    this.#client[Symbol.dispose]();
    await Promise.all([
      this.#server[Symbol.asyncDispose](),
      this.#kademliaServer[Symbol.asyncDispose](),
      ...this.#loops,
    ]);
  }

  #handle(sender: Peer, message: PeerMessage): Promise<void> {
    this.#client.calledBy(sender);
    const isHandshake = message.type === "handshake" || message.type === "handshakeResponse";
    const isUnknown = !isHandshake && message.type !== "disconnect" && !this.#connections.has(sender);
    if (isUnknown && this.#connections.hasRoom) this.#greeter.spokeUp(sender, this.#ended.signal);
    const onProven = (peer: Peer) => this.#enterProven(peer);
    return handleMessage(sender, message, { ...this.#upkeep(), handlePacket: this.#handlePacket, onProven });
  }

  #enterProven(peer: Peer): void {
    void this.#table.enterProven(peer, (oldest) => this.#kademliaClient.ping(oldest));
  }

  /** Handles an unsigned claim of where a peer is: only the owner of that peer's key can answer a handshake there. */
  async #wasNamed(peer: Peer): Promise<void> {
    const { allowPrivateAddresses, resolve = resolveHost } = this.#options;
    const kind = this.#table.named(peer);
    const isNew = kind === "unknown" || (kind === "knownElsewhere" && this.#greeter.mayGreet(peer));
    const { size } = this.#lookedUp;
    if (!isNew || peer.id === this.#local.id || size >= maxLookedUp || this.#lookedUp.has(peer.id)) return;
    this.#lookedUp.add(peer.id);
    try {
      if (!(await isUsableHost(peer.host, allowPrivateAddresses, resolve))) return;
      if (kind === "unknown") this.#pinged.add(peer);
      else this.#greeter.spokeUp(peer, this.#ended.signal);
    } finally {
      this.#lookedUp.delete(peer.id);
    }
  }

  /** Those that peers have named first. */
  #unproven(): Peer[] {
    return [...this.#named.peers, ...this.#pinged.peers];
  }

  #upkeep(): ConnectionMaintenanceDeps {
    return {
      connections: this.#connections,
      send: (peer, message, signal) => this.#client.send(peer, message, signal),
      emit: this.#options.emit,
      onOffered: (peer, isTaken) => {
        for (const waiting of [this.#named, this.#pinged]) waiting.forget(peer);
        if (isTaken) this.#enterProven(peer);
      },
    };
  }

  async #discover(): Promise<void> {
    const { signal } = this.#ended;
    const random = this.#options.random ?? randomInt;
    const use = {
      ownId: this.#local.id,
      table: this.#table,
      lookup: (key: Uint8Array, peer: Peer) => this.#kademliaClient.lookup(key, peer),
      onNamed: (peer: Peer) => this.#named.add(peer),
      random,
    };
    await discover(use, signal);
    const some = (peers: readonly Peer[], count: number) => shuffle(peers, random).slice(0, count);
    const { proven, named, pinged } = handshakesPerRound;
    const unconnected = this.#table.peers.filter((peer) => !this.#connections.has(peer));
    const offered = [some(unconnected, proven), some(this.#named.peers, named), some(this.#pinged.peers, pinged)];
    await handshakeRound(this.#upkeep(), offered.flat(), signal);
  }

  /**
   * The bootstrap and remembered peers come first, those of the table last. The table of a node that waits to be found
   * is empty after a restart, while its peers believe it connected.
   */
  #acquaintances(): Peer[] {
    const { bootstrap, remembered = [] } = this.#options;
    const all = [...(bootstrap === undefined ? [] : [bootstrap]), ...remembered, ...this.#table.peers];
    const known = new Map(all.map((peer) => [peerKey(peer), peer]));
    return [...known.values()].filter(({ id }) => id !== this.#local.id);
  }

  async #maintain(): Promise<void> {
    const host = await this.#options.ownHost?.().catch(() => undefined);
    if (host !== undefined && host !== this.#local.host) {
      this.#options.emit({ type: "ownAddressChanged", host });
      this.#connections.clear();
      this.#local = { ...this.#local, host };
    }
    await this.#heartbeats.round(this.#options.heartbeatBatchSize, this.#ended.signal);
  }

  /** Does the work, then sleeps, until the end; work that fails is tried again in the next round. */
  async #repeat(intervalMs: number, work: () => Promise<void>): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      await work().catch(() => {});
      await sleep(intervalMs, undefined, { signal }).catch(() => {});
    }
  }
}

const farewellMs = 500;
