import type { Peer } from "@vedette/network";
import { encodePacket, hashKey } from "@vedette/protocol";
import type { PeersPort } from "../ports/PeersPort.js";
import type { AdmissionReason, EmitSyncEvent } from "../SyncEvent.js";
import { PeerRequestBudget, type QuestionLimits } from "./PeerRequestBudget.js";

/** Bounds and times of the retriever. @spec 40 §4.2, §4.6 */
export interface RetrieverLimits {
  readonly maxHashes: number;
  /** Hashes that one peer may make us look for. */
  readonly maxHashesPerPeer: number;
  readonly maxPeersPerHash: number;
  /** `requested-blocks-timeout`: the longest pause between two requests for one block. */
  readonly requestTimeoutMs: number;
  /** The first pause; it doubles. rnode waits for the whole `requested-blocks-timeout` at once. */
  readonly firstRetryMs: number;
  /** How long others than an avoided peer are waited for. */
  readonly avoidMs: number;
  readonly maxAttempts: number;
  /** Requests to one peer, on behalf of peers and of blocks from bonded senders. */
  readonly asks: QuestionLimits;
  /** The same on behalf of blocks of unbonded creators. */
  readonly requestsForUnbonded: QuestionLimits;
  /** Questions to many peers at once. */
  readonly calls: QuestionLimits;
}

/** How a hash is looked for. */
export interface Admission {
  /** The peer that sent a refused copy: requested from only while no other peer has announced the block. */
  readonly avoided?: string | undefined;
  /** Whether the block that refers to it is of a validator without known stake. @spec 40 §4.8 */
  readonly isForUnbonded?: boolean;
}

/** Bounds that suit a network of some hundred validators. @spec 40 §4.2 */
const defaultRetrieverLimits: RetrieverLimits = {
  maxHashes: 20_000,
  maxHashesPerPeer: 4000,
  maxPeersPerHash: 20,
  requestTimeoutMs: 240_000,
  firstRetryMs: 5000,
  avoidMs: 1000,
  maxAttempts: 8,
  asks: { most: 512, perSecond: 128 },
  requestsForUnbonded: { most: 64, perSecond: 16 },
  calls: { most: 64, perSecond: 8 },
};

/** An available block comes with one of the first requests. */
const vainAttempts = 2;

interface Requested {
  readonly hash: Uint8Array;
  /** The peer that made us look for it, for its share. */
  readonly because: string | undefined;
  /** Peers that claim to have it, in order. */
  readonly waiting: Peer[];
  readonly asked: Set<string>;
  /** The peer that sent a refused copy; requested from only while no other peer has announced the block. */
  readonly avoided: string | undefined;
  readonly isForUnbonded: boolean;
  readonly sinceMs: number;
  /** The budget of the last request, while it is open. */
  budget: PeerRequestBudget | undefined;
  /** Minus infinity where there was no room for a question yet. */
  requestedAtMs: number;
  attempts: number;
}

/** The parts that a retriever needs. */
export interface RetrieverOptions {
  readonly peers: PeersPort;
  readonly emit: EmitSyncEvent;
  readonly nowMs: () => number;
  readonly limits?: Partial<RetrieverLimits> | undefined;
  /** Receives a hash after several unanswered requests, at each further request. */
  readonly missed?: (hash: Uint8Array) => void;
  /** Receives a hash that no peer delivered within the maximum number of requests. */
  readonly givenUp?: (hash: Uint8Array) => void;
}

/**
 * Fetches blocks by their hashes.
 *
 * No consensus rule depends on it. So where rnode waits four minutes or for ever (40 §4.2), this class repeats a request
 * after seconds. It sends it to all peers when none is left that announced the block. The requests that peers can cause
 * are bounded, since the protocol has no request for several blocks at once.
 *
 * @spec 40 §4.2, §4.8
 */
export class BlockRetriever {
  readonly #use: RetrieverOptions;
  readonly #limits: RetrieverLimits;
  readonly #requested = new Map<string, Requested>();
  readonly #countOf = new Map<string, number>();
  readonly #asks: PeerRequestBudget;
  readonly #requestsForUnbonded: PeerRequestBudget;
  readonly #calls: PeerRequestBudget;

  constructor(use: RetrieverOptions) {
    this.#use = use;
    const limits = { ...defaultRetrieverLimits, ...use.limits };
    this.#limits = limits;
    this.#asks = new PeerRequestBudget(limits.asks, use.nowMs);
    this.#requestsForUnbonded = new PeerRequestBudget(limits.requestsForUnbonded, use.nowMs);
    this.#calls = new PeerRequestBudget(limits.calls, use.nowMs);
  }

  /** Hashes that are looked for. */
  get size(): number {
    return this.#requested.size;
  }

  /** Whether a block with this hash was requested. */
  isRequested(hash: Uint8Array): boolean {
    return this.#requested.has(hashKey(hash));
  }

  /**
   * Requests a block, or records one more peer that has it.
   *
   * @spec 40 §4.2
   * @param peer that claims to have it; without one the request goes to all
   * @returns false if a bound was reached
   */
  admit(hash: Uint8Array, peer: Peer | undefined, reason: AdmissionReason, admission: Admission = {}): boolean {
    const known = this.#requested.get(hashKey(hash));
    if (known === undefined) return this.#add(hash, peer, reason, admission);
    if (peer === undefined || known.waiting.some(({ id }) => id === peer.id)) return true;
    if (known.waiting.length >= this.#limits.maxPeersPerHash) return true;
    const isFirst = known.waiting.every(({ id }) => id === known.avoided);
    known.waiting.push(peer);
    if (isFirst && this.#mayAsk(known, peer)) this.#ask(known, peer);
    return true;
  }

  /** The block has arrived, or is not wanted any more. @spec 40 §4.2 (ackReceive) */
  forget(hash: Uint8Array): void {
    const key = hashKey(hash);
    const entry = this.#requested.get(key);
    if (entry === undefined) return;
    entry.budget?.giveBack();
    this.#remove(key, entry);
  }

  /** A peer sent other content under the hash: requests it from others at once. */
  distrust(hash: Uint8Array, peer: Peer): void {
    const entry = this.#requested.get(hashKey(hash));
    if (entry === undefined) return;
    const index = entry.waiting.findIndex(({ id }) => id === peer.id);
    if (index >= 0) entry.waiting.splice(index, 1);
    this.#queryNext(entry);
  }

  /** Repeats the requests for blocks that did not arrive in time. @spec 40 §4.2, §4.6 */
  requestAgain(): void {
    const now = this.#use.nowMs();
    for (const entry of [...this.#requested.values()]) {
      this.#queryAvoided(entry);
      const { firstRetryMs, requestTimeoutMs, maxAttempts } = this.#limits;
      const pauseMs = Math.min(requestTimeoutMs, firstRetryMs * 2 ** Math.min(entry.attempts, 20));
      if (now - entry.requestedAtMs <= pauseMs) continue;
      if (entry.attempts >= maxAttempts) this.#giveUp(entry);
      else {
        this.#queryNext(entry);
        if (entry.attempts >= vainAttempts) this.#use.missed?.(entry.hash);
      }
    }
  }

  /** Removes a hash that no peer has. A node without peers keeps it, since it sent no request. */
  #giveUp(entry: Requested): void {
    if (this.#use.peers.peers.length === 0) return;
    this.#remove(hashKey(entry.hash), entry);
    this.#use.givenUp?.(entry.hash);
  }

  #remove(key: string, { because }: Requested): void {
    this.#requested.delete(key);
    this.#count(because, -1);
  }

  /** Requests from all peers the hashes that were admitted while there was no peer. */
  requestUnasked(): void {
    for (const entry of this.#requested.values()) if (entry.asked.size === 0) this.#call(entry);
  }

  #add(hash: Uint8Array, peer: Peer | undefined, reason: AdmissionReason, admission: Admission): boolean {
    const ofPeer = peer === undefined ? 0 : (this.#countOf.get(peer.id) ?? 0);
    if (ofPeer >= this.#limits.maxHashesPerPeer) return false;
    if (this.#requested.size >= this.#limits.maxHashes && (peer === undefined || !this.#makeRoom(ofPeer))) return false;
    const waiting = peer === undefined ? [] : [peer];
    const sinceMs = this.#use.nowMs();
    const { avoided, isForUnbonded = false } = admission;
    const times = { sinceMs, requestedAtMs: Number.NEGATIVE_INFINITY, attempts: 0, budget: undefined };
    const entry: Requested = { hash, because: peer?.id, waiting, asked: new Set(), avoided, isForUnbonded, ...times };
    this.#requested.set(hashKey(hash), entry);
    this.#count(peer?.id, 1);
    this.#use.emit({ type: "hashRequested", hash, reason });
    if (peer !== undefined && this.#mayAsk(entry, peer)) this.#ask(entry, peer);
    else this.#call(entry);
    return true;
  }

  /** Removes a hash of the peer with most hashes, if it has far more than the new one's peer. */
  #makeRoom(ofNewcomer: number): boolean {
    let [most, maxId] = [2 * ofNewcomer + 1, ""];
    for (const [id, count] of this.#countOf) if (count > most) [most, maxId] = [count, id];
    for (const [key, entry] of this.#requested) {
      if (maxId === "" || entry.because !== maxId) continue;
      this.#remove(key, entry);
      return true;
    }
    return false;
  }

  #mayAsk({ avoided, sinceMs }: Requested, { id }: Peer): boolean {
    return id !== avoided || this.#use.nowMs() - sinceMs > this.#limits.avoidMs;
  }

  /** Turns to the avoided peer where it is the only one that claims to have the block, and time has shown it. */
  #queryAvoided(entry: Requested): void {
    const [peer] = entry.waiting;
    const isUnasked = peer?.id === entry.avoided && entry.waiting.length === 1 && entry.asked.size === 0;
    if (peer !== undefined && isUnasked && this.#mayAsk(entry, peer)) this.#ask(entry, peer);
  }

  /** Requests it from the next peer that claims to have it, or from all peers if there is none. */
  #queryNext(entry: Requested): void {
    const [peer] = entry.waiting;
    const isRequested = peer !== undefined && this.#ask(entry, peer);
    if (isRequested) entry.waiting.shift();
    const isCalled = entry.waiting.length === 0 && this.#call(entry);
    if (isRequested || isCalled) entry.attempts++;
  }

  /** @returns false where there is no room for one more question; it is put later */
  #ask(entry: Requested, peer: Peer): boolean {
    if (!this.#open(entry, entry.isForUnbonded ? this.#requestsForUnbonded : this.#asks)) return false;
    entry.asked.add(peer.id);
    const content = encodePacket("BlockRequest", { hash: entry.hash });
    // A peer that cannot be reached is as one that does not answer.
    this.#use.peers.send(peer, "BlockRequest", content).catch(() => {});
    return true;
  }

  #call(entry: Requested): boolean {
    if (!this.#open(entry, this.#calls)) return false;
    void this.#use.peers.broadcast("HasBlockRequest", encodePacket("HasBlockRequest", { hash: entry.hash }));
    return true;
  }

  #open(entry: Requested, budget: PeerRequestBudget): boolean {
    if (!budget.take()) return false;
    entry.budget = budget;
    entry.requestedAtMs = this.#use.nowMs();
    return true;
  }

  #count(peerId: string | undefined, change: number): void {
    if (peerId === undefined) return;
    const count = (this.#countOf.get(peerId) ?? 0) + change;
    if (count > 0) this.#countOf.set(peerId, count);
    else this.#countOf.delete(peerId);
  }
}
