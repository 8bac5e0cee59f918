import { errorText } from "@vedette/errors";
import type { UpkeepFacts } from "@vedette/protocol";
import type { Peer } from "../Peer.js";
import type { ConnectionMaintenanceDeps } from "./maintain.js";

/** The parts that the search for silent peers works with. @spec 10 §4, 61 §16.1 */
export interface HeartbeatsOptions extends Omit<ConnectionMaintenanceDeps, "onOffered"> {
  readonly facts: UpkeepFacts;
  /** Receives each peer that was dropped. */
  readonly onDropped: (peer: Peer) => void;
}

/**
 * Sends heartbeats to the connected peers, and drops those that have not answered for too long.
 *
 * @spec 10 §4, 61 §16.1
 */
export class Heartbeats {
  readonly #use: HeartbeatsOptions;
  /** Questions in a row that a peer did not answer, by its id. */
  readonly #silences = new Map<string, number>();

  constructor(use: HeartbeatsOptions) {
    this.#use = use;
  }

  /** Sends heartbeats to the least recently active peers, at most `batchSize`. */
  async round(batchSize: number, signal: AbortSignal): Promise<void> {
    const { connections, facts, onDropped } = this.#use;
    const asked = connections.peers.slice(0, batchSize);
    if (facts.asksTogether) await Promise.all(asked.map((peer) => this.#ask(peer, signal)));
    else for (const peer of asked) await this.#ask(peer, signal);
    if (signal.aborted) return;
    this.#forgetUnconnected();
    const silent = asked.filter(({ id }) => (this.#silences.get(id) ?? 0) >= facts.maxMissedBeats);
    for (const { id } of silent) this.#silences.delete(id);
    connections.removeSilent(new Set(silent.map(({ id }) => id)));
    for (const peer of silent) onDropped(peer);
  }

  async #ask(peer: Peer, signal: AbortSignal): Promise<void> {
    const { connections, send, emit } = this.#use;
    if (signal.aborted) return;
    try {
      await send(peer, { type: "heartbeat" }, signal);
      connections.refresh(peer.id);
      this.#silences.delete(peer.id);
    } catch (error) {
      if (signal.aborted) return;
      emit({ type: "peerUnreachable", peer, reason: errorText(error) });
      this.#silences.set(peer.id, (this.#silences.get(peer.id) ?? 0) + 1);
    }
  }

  /** A peer that comes back begins anew. */
  #forgetUnconnected(): void {
    const { connections } = this.#use;
    for (const id of this.#silences.keys()) if (connections.find(id) === undefined) this.#silences.delete(id);
  }
}
