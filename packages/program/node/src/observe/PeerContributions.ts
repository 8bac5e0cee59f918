import type { BlockSourceView } from "@vedette/api";
import { dropOldest } from "@vedette/errors";
import { type Peer, peerUri } from "@vedette/network";
import { RecentRate } from "./RecentRate.js";

/** Maximum number of peers that are remembered, and of peers that are reported. */
const maxPeers = 64;
const maxReported = 8;

/** Which peers gave something lately: blocks, or parts of a state. */
export class PeerContributions {
  readonly #windowMs: number;
  readonly #peers = new Map<string, { readonly peer: Peer; readonly rate: RecentRate }>();

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  gave(peer: Peer, count: number, nowMs: number): void {
    const known = this.#peers.get(peer.id) ?? { peer, rate: new RecentRate(this.#windowMs) };
    // The most recent peer is last; the first one is dropped.
    this.#peers.delete(peer.id);
    this.#peers.set(peer.id, known);
    known.rate.add(count, nowMs);
    dropOldest(this.#peers, maxPeers);
  }

  /** The peers that gave most, first; none that gave nothing lately. */
  view(nowMs: number): readonly BlockSourceView[] {
    const gave = [...this.#peers.values()].map(({ peer, rate }) => ({
      address: peerUri(peer),
      nodeId: peer.id,
      given: rate.count(nowMs),
    }));
    return gave
      .filter(({ given }) => given > 0)
      .sort((one, other) => other.given - one.given)
      .slice(0, maxReported);
  }
}
