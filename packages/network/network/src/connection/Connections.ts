import type { EmitNetworkEvent } from "../NetworkEvent.js";
import type { Peer } from "../Peer.js";

/**
 * The peers with which a handshake was completed, the least recently active first.
 *
 * @spec 10 §4
 */
export class Connections {
  readonly #emit: EmitNetworkEvent;
  readonly #limit: number;
  #peers: readonly Peer[] = [];
  #waiting: (() => void)[] = [];

  /** @param limit more peers are refused; rnode has no bound */
  constructor(emit: EmitNetworkEvent, limit: number) {
    this.#emit = emit;
    this.#limit = limit;
  }

  /** A snapshot; never changed afterwards. */
  get peers(): readonly Peer[] {
    return this.#peers;
  }

  /** Whether one more peer would be taken. */
  get hasRoom(): boolean {
    return this.#peers.length < this.#limit;
  }

  /** By id alone, as the list of connections compares. @spec 10 §2.1 */
  find(id: string): Peer | undefined {
    return this.#peers.find((peer) => peer.id === id);
  }

  /** Whether the very peer, id and endpoint, is connected. @spec 10 §4 */
  has(peer: Peer): boolean {
    const known = this.find(peer.id);
    return (
      known !== undefined &&
      known.host === peer.host &&
      known.protocolPort === peer.protocolPort &&
      known.discoveryPort === peer.discoveryPort
    );
  }

  /** Adds a peer at the end, in place of an entry with the same id. @returns false where there is no room */
  add(peer: Peer): boolean {
    const others = this.#peers.filter(({ id }) => id !== peer.id);
    if (others.length >= this.#limit) return false;
    this.#peers = [...others, peer];
    // Quirk 10 §4: reported at every addition, though the number may be the same.
    this.#emit({ type: "peersChanged", count: this.#peers.length });
    for (const resolve of this.#waiting.splice(0)) resolve();
    return true;
  }

  /** Removes a peer that disconnected. @spec 10 §4 */
  remove(id: string): void {
    this.#peers = this.#peers.filter((peer) => peer.id !== id);
    this.#emit({ type: "peersChanged", count: this.#peers.length });
  }

  /** Moves an active peer to the end; an unknown peer is ignored. @spec 10 §4 */
  refresh(id: string): void {
    const known = this.find(id);
    if (known !== undefined) this.#peers = [...this.#peers.filter((peer) => peer !== known), known];
  }

  /** Removes peers that did not answer their heartbeat; reports the count only if there were any. @spec 10 §4 */
  removeSilent(ids: ReadonlySet<string>): void {
    const left = this.#peers.filter(({ id }) => !ids.has(id));
    if (left.length === this.#peers.length) return;
    this.#peers = left;
    this.#emit({ type: "peersChanged", count: left.length });
  }

  /** Drops all. @spec 10 §6 */
  clear(): void {
    this.#peers = [];
    this.#emit({ type: "peersChanged", count: 0 });
  }

  /** Resolves as soon as there is a connection. @spec 10 §8 */
  first(signal: AbortSignal): Promise<void> {
    if (this.#peers.length > 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const abort = () => reject(signal.reason);
      if (signal.aborted) return abort();
      signal.addEventListener("abort", abort, { once: true });
      this.#waiting.push(() => {
        signal.removeEventListener("abort", abort);
        resolve();
      });
    });
  }
}
