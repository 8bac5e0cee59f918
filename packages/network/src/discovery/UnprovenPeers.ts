import { type Peer, peerKey } from "../Peer.js";

/**
 * Peers that somebody has named and that have not proven yet, by a handshake, to be where that says. They are offered
 * one, and handed on to nobody. When the list is full, the one that was named longest ago is forgotten.
 *
 * @spec 10 §5
 */
export class UnprovenPeers {
  readonly #max: number;
  /** By id and address: several may be named for one id, and one of them may be right. */
  readonly #peers = new Map<string, Peer>();

  constructor(max: number) {
    this.#max = max;
  }

  get peers(): readonly Peer[] {
    return [...this.#peers.values()];
  }

  add(peer: Peer): void {
    this.forget(peer);
    const [oldest] = this.#peers.keys();
    if (oldest !== undefined && this.#peers.size >= this.#max) this.#peers.delete(oldest);
    this.#peers.set(peerKey(peer), peer);
  }

  /** It has been offered a handshake there. */
  forget(peer: Peer): void {
    this.#peers.delete(peerKey(peer));
  }
}
