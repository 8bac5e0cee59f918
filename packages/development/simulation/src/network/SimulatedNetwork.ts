import type { Peer, StreamContent } from "@vedette/network";
import type { PeersPort } from "@vedette/sync";
import type { SeededRandom } from "../random/SeededRandom.js";
import type { Owner, VirtualTime } from "../time/VirtualTime.js";

/** How messages travel. */
export interface LinkConditions {
  latencyMs: number;
  /** Some messages take this much longer, so that later ones overtake them. */
  reorderDelayMs: number;
  reorderProbability: number;
  dropProbability: number;
  duplicateProbability: number;
}

/** A process that takes part. */
export interface Participant extends Owner {
  readonly peer: Peer;
  /** Times as slow as others. */
  readonly slowness: number;
  receive(from: Peer, typeId: string, content: Uint8Array): Promise<void>;
}

const heartbeatMs = 4_000;
const deadlineMs = 5_000;
const broadcastPeers = 20;
const maxStreams = 100;

/** The network: which nodes are connected, and what becomes of each message. */
export class SimulatedNetwork {
  readonly linkConditions: LinkConditions;
  readonly #time: VirtualTime;
  readonly #random: SeededRandom;
  readonly #participants = new Map<string, Participant>();
  readonly #cuts = new Map<string, number>();
  /** Peers that take all and answer nothing, by the node that has found them. */
  readonly #strangers = new Map<string, readonly Peer[]>();
  /** Messages that were handed over, by type. */
  delivered = 0;
  failedReceipts = 0;

  constructor(time: VirtualTime, random: SeededRandom, linkConditions: LinkConditions) {
    this.#time = time;
    this.#random = random;
    this.linkConditions = linkConditions;
  }

  join(participant: Participant): SimulatedPeers {
    this.#participants.set(participant.peer.id, participant);
    return new SimulatedPeers(this, participant, this.#random);
  }

  /** Cuts a connection in one direction. @returns a function that repairs it */
  cut(from: string, to: string): () => void {
    const key = `${from} ${to}`;
    this.#cuts.set(key, (this.#cuts.get(key) ?? 0) + 1);
    let isCut = true;
    return () => {
      if (!isCut) return;
      isCut = false;
      const left = this.#cuts.get(key)! - 1;
      if (left > 0) this.#cuts.set(key, left);
      else this.#cuts.delete(key);
    };
  }

  /** Has discovery of a node find strangers beside its peers. @returns a function that ends it */
  poison(id: string, count: number): () => void {
    const strangers = Array.from({ length: count }, (_, index): Peer => {
      const host = `stranger ${index}`;
      return { id: Buffer.from(host.padEnd(20)).toString("hex"), host, protocolPort: 1, discoveryPort: 2 };
    });
    this.#strangers.set(id, strangers);
    return () => {
      if (this.#strangers.get(id) === strangers) this.#strangers.delete(id);
    };
  }

  isReachable(from: Participant, to: Peer): boolean {
    const target = this.#participants.get(to.id);
    return target?.isAlive === true && !this.#isCut(from.peer.id, to.id);
  }

  /** The peers that answer now: the way there and back is open. */
  reachableFrom(from: Participant): Peer[] {
    const found: Peer[] = [];
    for (const { peer } of this.#participants.values())
      if (peer.id !== from.peer.id && this.isReachable(from, peer) && !this.#isCut(peer.id, from.peer.id))
        found.push(peer);
    found.push(...(this.#strangers.get(from.peer.id) ?? []));
    return found;
  }

  /** Resolves when the receiver has it; rejects where that is not known. */
  send(from: Participant, to: Peer, typeId: string, content: Uint8Array): Promise<void> {
    const receiptMs = this.#sendOff(from, to, typeId, content);
    return new Promise((resolve, reject) => {
      if (receiptMs === undefined)
        this.#time.after(deadlineMs, from, "deadline", () => reject(new Error("no answer in time")));
      else this.#time.after(receiptMs, from, "receipt", resolve);
    });
  }

  /** Resolves when of all it is known whether they have it. */
  sendAll(from: Participant, all: readonly Peer[], typeId: string, content: Uint8Array): Promise<void> {
    let lastMs = 0;
    for (const to of all) lastMs = Math.max(lastMs, this.#sendOff(from, to, typeId, content) ?? deadlineMs);
    return new Promise((resolve) => void this.#time.after(lastMs, from, "receipts", resolve));
  }

  heartbeat(from: Participant, act: () => void): void {
    this.#time.after(heartbeatMs * (0.5 + this.#random.unit()), from, "connections", act);
  }

  soon(from: Participant, act: () => void): void {
    this.#time.after(this.#latency(from), from, "connections", act);
  }

  /** @returns when the sender knows that it has arrived; `undefined`: never */
  #sendOff(from: Participant, to: Peer, typeId: string, content: Uint8Array): number | undefined {
    if (!this.#participants.has(to.id)) return 2 * this.#latency(from);
    const { dropProbability, duplicateProbability } = this.linkConditions;
    const isLost = this.#random.chance(dropProbability) || !this.isReachable(from, to);
    const isDoubled = this.#random.chance(duplicateProbability);
    const isReceiptLost = isLost || this.#random.chance(dropProbability) || this.#isCut(to.id, from.peer.id);
    const ms = this.#latency(from);
    if (!isLost) this.#deliver(from, to, ms, typeId, content);
    if (isDoubled && !isLost) this.#deliver(from, to, ms + this.#latency(from), typeId, content);
    return isReceiptLost ? undefined : ms + this.#latency(from);
  }

  #deliver(from: Participant, to: Peer, ms: number, typeId: string, content: Uint8Array): void {
    // The current owner of the name then gets it, as after a restart.
    const target = this.#participants.get(to.id)!;
    this.#time.after(ms, target, `${typeId} of ${from.name}`, () => {
      if (this.#isCut(from.peer.id, to.id)) return;
      this.delivered += 1;
      target.receive(from.peer, typeId, content).catch(() => {
        this.failedReceipts += 1;
      });
    });
  }

  #latency({ slowness }: Participant): number {
    const { latencyMs, reorderDelayMs, reorderProbability } = this.linkConditions;
    const detour = this.#random.chance(reorderProbability) ? this.#random.unit() * reorderDelayMs : 0;
    return slowness * (latencyMs * (0.5 + this.#random.unit()) + detour);
  }

  #isCut(from: string, to: string): boolean {
    return this.#cuts.has(`${from} ${to}`);
  }
}

/** The network as one process sees it. */
export class SimulatedPeers implements PeersPort {
  readonly #network: SimulatedNetwork;
  readonly #self: Participant;
  readonly #random: SeededRandom;
  #peers: readonly Peer[] = [];
  #streams = 0;
  #first: (() => void)[] = [];

  constructor(network: SimulatedNetwork, self: Participant, random: SeededRandom) {
    this.#network = network;
    this.#self = self;
    this.#random = random;
  }

  /** Looks for peers from now on. */
  start(): void {
    this.#network.soon(this.#self, () => this.#look());
  }

  get local(): Peer {
    return this.#self.peer;
  }

  get peers(): readonly Peer[] {
    return this.#peers;
  }

  randomPeers(count: number): readonly Peer[] {
    return this.#random.shuffled(this.#peers).slice(0, count);
  }

  send(peer: Peer, typeId: string, content: Uint8Array, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const giveUp = () => reject(signal?.reason);
      signal?.addEventListener("abort", giveUp, { once: true });
      void this.#network
        .send(this.#self, peer, typeId, content)
        .then(resolve, reject)
        .finally(() => signal?.removeEventListener("abort", giveUp));
    });
  }

  stream(peer: Peer, typeId: string, content: StreamContent): boolean {
    if (this.#streams >= maxStreams) return false;
    this.#streams += 1;
    this.#network.soon(this.#self, () => void this.#streamNow(peer, typeId, content));
    return true;
  }

  broadcast(typeId: string, content: Uint8Array, scope = broadcastPeers): Promise<void> {
    return this.#network.sendAll(this.#self, this.randomPeers(scope), typeId, content);
  }

  firstConnection(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) reject(signal.reason);
      else if (this.#peers.length > 0) resolve();
      else {
        this.#first.push(resolve);
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      }
    });
  }

  async #streamNow(peer: Peer, typeId: string, content: StreamContent): Promise<void> {
    try {
      const bytes = await content();
      if (bytes !== undefined) await this.#network.send(this.#self, peer, typeId, bytes);
    } catch {
      // As with a stream that breaks off: it is reported to no node.
    } finally {
      this.#streams -= 1;
    }
  }

  #look(): void {
    this.#peers = this.#network.reachableFrom(this.#self);
    if (this.#peers.length > 0) for (const resolve of this.#first.splice(0)) resolve();
    this.#network.heartbeat(this.#self, () => this.#look());
  }
}
