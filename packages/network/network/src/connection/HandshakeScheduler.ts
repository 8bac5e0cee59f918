import { setTimeout as sleep } from "node:timers/promises";
import { dropOldest } from "@vedette/errors";
import { type Peer, peerKey } from "../Peer.js";
import { type ConnectionMaintenanceDeps, offerHandshake } from "./maintain.js";

/** Times of the search for a first connection. */
export interface GreeterTimes {
  /** First pause between two rounds of a node that has no connection. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** How often an unknown peer that sends something is offered a handshake at most. */
  readonly unknownPeerPauseMs: number;
}

const defaultTimes: GreeterTimes = { firstPauseMs: 1000, longestPauseMs: 8000, unknownPeerPauseMs: 5000 };
/** Eight rounds until the pause has tripled. */
const pauseGrowth = 1.15;
/**
 * Handshakes under way. A table filled by a hostile peer must not make us call thousands of hosts, and strangers that
 * announce hosts that do not answer must not keep us from those that we know.
 */
const maxConcurrent = { knownPeer: 64, unknownPeer: 16 } as const;
const maxUnknownPeers = 1024;

type Kind = keyof typeof maxConcurrent;

/** The parts that a greeter works with. */
export interface HandshakeSchedulerOptions extends ConnectionMaintenanceDeps {
  readonly nowMs: () => number;
}

/**
 * Offers handshakes where waiting for the next round of discovery would be lonely: to all that are known while there
 * is no connection at all, and to a peer that speaks to us as to one it is connected with.
 *
 * That a peer has taken a handshake does not mean that its answer comes: after our restart it may still be waiting
 * before it calls us again. So handshakes are repeated until there is a connection.
 *
 * @spec 10 §4
 */
export class HandshakeScheduler {
  readonly #use: HandshakeSchedulerOptions;
  readonly #times: GreeterTimes;
  readonly #underWay = new Map<string, Kind>();
  /** When an unknown peer was last offered a handshake, the longest ago first. */
  readonly #offers = new Map<string, number>();

  constructor(use: HandshakeSchedulerOptions, times: Partial<GreeterTimes> = {}) {
    this.#use = use;
    this.#times = { ...defaultTimes, ...times };
  }

  /** Offers a handshake to each that is not connected, at once; those that have not answered the last one are left. */
  async greet(peers: readonly Peer[], signal: AbortSignal, kind: Kind = "knownPeer"): Promise<void> {
    const { connections } = this.#use;
    const free = peers.filter((peer) => !connections.has(peer) && !this.#underWay.has(peerKey(peer)));
    const taken = [...this.#underWay.values()].filter((one) => one === kind).length;
    await Promise.all(free.slice(0, maxConcurrent[kind] - taken).map((peer) => this.#offer(peer, kind, signal)));
  }

  /**
   * Greets all known peers, and some that were only named, at once. Repeats it with growing pauses while no peer is
   * connected, until the signal.
   */
  async retryUntilConnected(
    { known, named }: Readonly<Record<"known" | "named", () => readonly Peer[]>>,
    signal: AbortSignal,
  ): Promise<void> {
    const { firstPauseMs, longestPauseMs } = this.#times;
    const { connections } = this.#use;
    let pauseMs = firstPauseMs;
    while (!signal.aborted) {
      if (connections.peers.length > 0) pauseMs = firstPauseMs;
      // Not awaited: hosts that do not answer must not delay the next try with those that do.
      else void Promise.all([this.greet(known(), signal), this.greet(named(), signal, "unknownPeer")]);
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
      if (connections.peers.length === 0) pauseMs = Math.min(longestPauseMs, pauseMs * pauseGrowth);
    }
  }

  /** Whether a peer that speaks up now would be offered a handshake: not too often. */
  mayGreet({ id }: Peer): boolean {
    const lastMs = this.#offers.get(id);
    return lastMs === undefined || this.#use.nowMs() - lastMs >= this.#times.unknownPeerPauseMs;
  }

  /** A peer that is not connected has sent a message: it considers itself connected. */
  spokeUp(peer: Peer, signal: AbortSignal): void {
    const { nowMs } = this.#use;
    if (!this.mayGreet(peer)) return;
    this.#offers.delete(peer.id);
    this.#offers.set(peer.id, nowMs());
    dropOldest(this.#offers, maxUnknownPeers);
    void this.greet([peer], signal, "unknownPeer");
  }

  async #offer(peer: Peer, kind: Kind, signal: AbortSignal): Promise<void> {
    const key = peerKey(peer);
    this.#underWay.set(key, kind);
    try {
      await offerHandshake(this.#use, peer, signal);
    } finally {
      this.#underWay.delete(key);
    }
  }
}
