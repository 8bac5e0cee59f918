import { type NetworkEvent, type Peer, peerUri } from "@vedette/network";
import type { FoundCondition } from "./Conditions.js";

/** Notices that no peer is connected, and why. @spec 50 §6.8 */
export class PeerWatch {
  readonly #nowMs: () => number;
  readonly #bootstrap: Peer | undefined;
  #count = 0;
  #aloneSinceMs: number;
  /** Why the last peer that was called did not become one, since there was one. */
  #failure: Extract<NetworkEvent, { type: "handshakeFailed" }> | undefined;

  /**
   * @param nowMs     Unix milliseconds, of a clock that is never set
   * @param bootstrap its failure is reported rather than that of other peers
   */
  constructor(nowMs: () => number, bootstrap: Peer | undefined) {
    this.#nowMs = nowMs;
    this.#bootstrap = bootstrap;
    this.#aloneSinceMs = nowMs();
  }

  onNetworkEvent(event: NetworkEvent): void {
    if (event.type === "peersChanged") {
      if (event.count > 0) this.#failure = undefined;
      else if (this.#count > 0) this.#aloneSinceMs = this.#nowMs();
      this.#count = event.count;
    } else if (event.type === "handshakeFailed" && this.#count === 0) {
      // The bootstrap's failure is kept: other peers may be of another network, since any peer can name them.
      const isOfBootstrap = this.#bootstrap === undefined || event.peer.id === this.#bootstrap.id;
      if (isOfBootstrap || this.#failure === undefined) this.#failure = event;
    }
  }

  /** Returns why no peer is connected; `undefined` if one is. Call it only if peers are expected. */
  find(): FoundCondition | undefined {
    if (this.#count > 0) return undefined;
    const sinceMs = this.#aloneSinceMs;
    const failure = this.#failure;
    if (failure === undefined) return { code: "noPeers", sinceMs, reason: "no peer is connected" };
    const { peer, reason, wrongNetwork } = failure;
    return wrongNetwork
      ? { code: "otherNetwork", sinceMs, reason: `${peerUri(peer)} refuses this node: ${withoutPoint(reason)}` }
      : { code: "noPeers", sinceMs, reason: `${peerUri(peer)} cannot be reached: ${withoutPoint(reason)}` };
  }
}

function withoutPoint(text: string): string {
  return text.replace(/\.$/, "");
}
