import { errorText } from "@vedette/errors";
import type { Peer } from "@vedette/network";
import { encodePacket, type PacketForm, type StoreItemsRequest } from "@vedette/protocol";
import type { PeersPort } from "../ports/PeersPort.js";
import type { StateExportPort } from "../ports/StatePort.js";
import type { EmitSyncEvent } from "../SyncEvent.js";

const maxWaiting = 64;

/** What the server of states needs. */
export interface StoreItemsUse {
  /** Without it (`disable-state-exporter`) nothing is answered. */
  readonly state: StateExportPort | undefined;
  readonly peers: PeersPort;
  readonly packetForm: PacketForm;
  readonly emit: EmitSyncEvent;
}

/**
 * Gives pages of states to peers, one at a time, and one waiting request per peer: a page costs a lot of reading.
 *
 * @spec 40 §2 (StoreItemsMessageRequest), 30 §6.3, §6.4
 */
export class StoreItemsServer {
  readonly #use: StoreItemsUse;
  readonly #waiting = new Map<string, { readonly peer: Peer; readonly request: StoreItemsRequest }>();
  #running = false;

  constructor(use: StoreItemsUse) {
    this.#use = use;
  }

  /** Queues a request; a newer one of the same peer replaces the one that waits. */
  request(request: StoreItemsRequest, peer: Peer): void {
    if (this.#use.state === undefined) {
      const reason = "the node is configured to not respond to StoreItemsMessage";
      this.#use.emit({ type: "storeItemsRefused", peer, reason });
      return;
    }
    if (!this.#waiting.has(peer.id) && this.#waiting.size >= maxWaiting) {
      this.#use.emit({ type: "storeItemsRefused", peer, reason: "too many requests" });
      return;
    }
    this.#waiting.set(peer.id, { peer, request });
    if (!this.#running) void this.#serve(this.#use.state);
  }

  async #serve(state: StateExportPort): Promise<void> {
    this.#running = true;
    for (let next = this.#take(); next !== undefined; next = this.#take()) {
      await this.#serveOne(state, next.peer, next.request);
    }
    this.#running = false;
  }

  #take() {
    for (const [id, waiting] of this.#waiting) {
      this.#waiting.delete(id);
      return waiting;
    }
    return undefined;
  }

  async #serveOne(state: StateExportPort, peer: Peer, request: StoreItemsRequest): Promise<void> {
    const { startPath, skip, take } = request;
    const { peers, packetForm, emit } = this.#use;
    try {
      const items = await state.exportPage(startPath, skip, take);
      if (items === undefined) {
        emit({ type: "storeItemsRefused", peer, reason: "there is nothing at this path" });
        return;
      }
      const content = encodePacket("StoreItemsMessage", items, packetForm);
      peers.stream(peer, "StoreItemsMessage", () => content);
      const counts = { nodes: items.historyItems.length, leaves: items.dataItems.length };
      emit({ type: "storeItemsServed", peer, startPath, take, skip, ...counts });
    } catch (error) {
      const reason = errorText(error);
      emit({ type: "storeItemsRefused", peer, reason });
    }
  }
}
