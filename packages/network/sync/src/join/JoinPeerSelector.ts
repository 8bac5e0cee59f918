import type { Peer } from "@vedette/network";
import { encodePacket, hashKey } from "@vedette/protocol";
import type { PeersPort } from "../ports/PeersPort.js";
import type { EmitSyncEvent } from "../SyncEvent.js";
import type { Timers } from "../Timers.js";

/** The peers from which blocks can be requested. */
export interface JoinPeerSelectorOptions {
  readonly peers: PeersPort;
  /** It has sent the approved block, so it has what belongs to it. */
  readonly bootstrap: Peer;
  readonly emit: EmitSyncEvent;
  readonly nowMs: () => number;
  readonly timers: Timers;
  /** Silence after which a second peer gets the request; doubles with every further one. */
  readonly firstPauseMs?: number;
  /** Called when a block was requested again, with the number of requests for it. */
  readonly onRequestedAgain?: (questions: number, hash: Uint8Array) => void;
}

interface Question {
  readonly hash: Uint8Array;
  readonly asked: Set<string>;
  /** As {@link requested}, with those of earlier rounds. */
  readonly everRequested: Set<string>;
  peer: Peer;
  requestedAtMs: number;
  pauseMs: number;
  count: number;
}

const defaultFirstPauseMs = 500;
const longestPauseMs = 128_000;
/** Shorter silences are not worth a word. */
const reportedPauseMs = 2000;
/** More could not be queued by the answering peer, or here. @spec 10 §3.6 */
const maxConcurrent = 32;
const maxConsidered = 20;

/**
 * Chooses the peers for the requests of a join, and others when nothing comes: the bootstrap and those that have sent
 * blocks first, those that left a request unanswered late, and those that may have lied last.
 *
 * rnode sends a request to one random peer for each block, and again to any when nothing at all has come for 2 s. A
 * peer that does not have a block does not answer.
 *
 * @spec 40 §3.8
 */
export class JoinPeerSelector implements Disposable {
  readonly #use: JoinPeerSelectorOptions;
  readonly #open = new Map<string, Question>();
  readonly #waiting: Uint8Array[] = [];
  readonly #lastAnswerMs = new Map<string, number>();
  readonly #silent = new Set<string>();
  readonly #doubted = new Set<string>();
  #takeBack: () => void = () => {};

  constructor(use: JoinPeerSelectorOptions) {
    this.#use = use;
    this.#lookLater();
  }

  /** Requests a block from a peer, as soon as few enough requests are open. */
  ask(hash: Uint8Array): void {
    if (this.#open.size >= maxConcurrent) this.#waiting.push(hash);
    else this.#begin(hash);
  }

  /**
   * Whether a block was requested from a peer and has not come yet. Blocks of other peers are refused: if a network has
   * no rule for a block's justifications, nothing protects them, and any peer could change them.
   */
  wasRequested(hash: Uint8Array, peer: Peer): boolean {
    return this.#open.get(hashKey(hash))?.everRequested.has(peer.id) === true;
  }

  /** A requested block has come. @param peer `undefined` if it was here already */
  received(hash: Uint8Array, peer: Peer | undefined): void {
    if (peer !== undefined) {
      this.#lastAnswerMs.set(peer.id, this.#use.nowMs());
      this.#silent.delete(peer.id);
    }
    this.#open.delete(hashKey(hash));
    const next = this.#open.size < maxConcurrent ? this.#waiting.shift() : undefined;
    if (next !== undefined) this.#begin(next);
  }

  /** A peer gave something else under the hash. */
  distrust(hash: Uint8Array, peer: Peer): void {
    const question = this.#open.get(hashKey(hash));
    this.#silent.add(peer.id);
    if (question?.peer.id === peer.id) this.#ask(question);
  }

  /**
   * Starts again: a block that is not requested again is not wanted any more. Silent peers are not blamed: the doubted
   * ones, which come last from now on, may have made up the requested hashes.
   */
  beginAnew(doubted: Iterable<string>): void {
    this.#open.clear();
    this.#waiting.length = 0;
    this.#silent.clear();
    for (const id of doubted) this.#doubted.add(id);
  }

  [Symbol.dispose](): void {
    this.#takeBack();
  }

  get #firstPauseMs(): number {
    return this.#use.firstPauseMs ?? defaultFirstPauseMs;
  }

  #lookLater(): void {
    this.#takeBack = this.#use.timers.after(this.#firstPauseMs / 2, () => {
      this.#look();
      this.#lookLater();
    });
  }

  #begin(hash: Uint8Array): void {
    const { bootstrap, nowMs } = this.#use;
    const times = { requestedAtMs: nowMs(), pauseMs: this.#firstPauseMs, count: 0 };
    const question: Question = { hash, asked: new Set(), everRequested: new Set(), peer: bootstrap, ...times };
    this.#ask(question);
    this.#open.set(hashKey(hash), question);
  }

  #ask(question: Question): void {
    const { peers, nowMs } = this.#use;
    question.peer = this.#choose(question);
    question.asked.add(question.peer.id);
    question.everRequested.add(question.peer.id);
    question.requestedAtMs = nowMs();
    question.count++;
    // A peer that cannot be reached is as one that does not answer.
    peers.send(question.peer, "BlockRequest", encodePacket("BlockRequest", { hash: question.hash })).catch(() => {});
  }

  #choose({ asked }: Question): Peer {
    const { peers, bootstrap } = this.#use;
    const others = peers.randomPeers(maxConsidered).filter(({ id }) => id !== bootstrap.id);
    const all = [bootstrap, ...others];
    const isFresh = all.some(({ id }) => !asked.has(id));
    if (!isFresh) asked.clear();
    let best = bootstrap;
    let bestRank = Number.POSITIVE_INFINITY;
    for (const peer of all) {
      const rank = asked.has(peer.id) ? Number.POSITIVE_INFINITY : this.#rank(peer);
      if (rank >= bestRank) continue;
      best = peer;
      bestRank = rank;
    }
    return best;
  }

  /** The rank of a peer, the lowest first: by its past answers, then by its open requests. */
  #rank({ id }: Peer): number {
    const isKnown = id === this.#use.bootstrap.id || this.#lastAnswerMs.has(id);
    const shown = this.#doubted.has(id) ? 3 : this.#silent.has(id) ? 2 : isKnown ? 0 : 1;
    let open = 0;
    for (const { peer } of this.#open.values()) if (peer.id === id) open++;
    return shown * (maxConcurrent + 1) + open;
  }

  /**
   * Requests blocks that do not come from other peers. A peer that sends other blocks meanwhile counts as busy, not
   * silent.
   */
  #look(): void {
    const { nowMs, emit, onRequestedAgain } = this.#use;
    const now = nowMs();
    let reportedMs = 0;
    for (const question of [...this.#open.values()]) {
      const { id } = question.peer;
      const lastAnswerMs = this.#lastAnswerMs.get(id) ?? Number.NEGATIVE_INFINITY;
      if (now - Math.max(question.requestedAtMs, lastAnswerMs) < question.pauseMs) continue;
      this.#silent.add(id);
      reportedMs = Math.max(reportedMs, question.pauseMs);
      question.pauseMs = Math.min(longestPauseMs, 2 * question.pauseMs);
      this.#ask(question);
      onRequestedAgain?.(question.count, question.hash);
    }
    if (reportedMs >= reportedPauseMs)
      emit({ type: "blocksIdle", idleMs: reportedMs, nextMs: Math.min(longestPauseMs, 2 * reportedMs) });
  }
}
