import { dropOldest } from "@vedette/errors";
import { type Peer, peerKey } from "../Peer.js";

/**
 * Lists peers that a message has named and that have not yet proven their address by a handshake. The node offers them
 * one, and passes none of them on. A full list drops the peer that was named longest ago.
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
    this.#peers.set(peerKey(peer), peer);
    dropOldest(this.#peers, this.#max);
  }

  /** It has been offered a handshake there. */
  forget(peer: Peer): void {
    this.#peers.delete(peerKey(peer));
  }
}
