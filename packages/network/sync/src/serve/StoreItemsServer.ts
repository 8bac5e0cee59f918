import { toHex } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import type { Peer } from "@vedette/network";
import { encodePacket, type PacketCodec, type StoreItemsRequest } from "@vedette/protocol";
import type { PeersPort } from "../ports/PeersPort.js";
import type { StateExportPort } from "../ports/StatePort.js";
import type { EmitSyncEvent } from "../SyncEvent.js";

/** Pages that one peer may wait for at one time. Nodes of f1r3node request up to 32 at once. */
const maxWaiting = 64;
/** The size of a path, with 32 bytes for each element besides its hash: no path into a tree takes as many. */
const maxPathBytes = 4096;

/** The parts that the server of states needs. */
export interface StoreItemsOptions {
  /** Without it (`disable-state-exporter`) nothing is answered. */
  readonly state: StateExportPort | undefined;
  readonly peers: PeersPort;
  readonly packetForm: PacketCodec;
  readonly emit: EmitSyncEvent;
}

/**
 * Gives pages of states to peers, to each in the order of its requests. One page is read at a time, since that costs a
 * lot, and peers take turns; it is read when the peer has taken the one before, so that what waits holds no pages.
 *
 * @spec 40 §2 (StoreItemsMessageRequest), 30 §6.3, §6.4, 61 §16.2
 */
export class StoreItemsServer {
  readonly #use: StoreItemsOptions;
  /** By peer, the pages that it waits for. */
  readonly #waiting = new Map<string, Set<string>>();
  #lastRead: Promise<unknown> = Promise.resolve();

  constructor(use: StoreItemsOptions) {
    this.#use = use;
  }

  /** Queues a request. A page that the peer waits for already is not queued again. */
  request(request: StoreItemsRequest, peer: Peer): void {
    const reason = this.#queue(request, peer);
    if (reason !== undefined) this.#refuse(peer, reason);
  }

  /** @returns why it is refused */
  #queue(request: StoreItemsRequest, peer: Peer): string | undefined {
    const { state, peers } = this.#use;
    if (state === undefined) return "the node is configured to not respond to StoreItemsMessage";
    const kept = keptOf(request);
    if (kept === undefined) return "the path is too long";
    const page = nameOf(kept);
    const waiting = this.#waiting.get(peer.id) ?? new Set();
    if (waiting.has(page)) return undefined;
    if (waiting.size >= maxWaiting) return "too many requests";
    this.#waiting.set(peer.id, waiting.add(page));
    const served = () => {
      waiting.delete(page);
      if (waiting.size === 0) this.#waiting.delete(peer.id);
    };
    let isQueued = false;
    try {
      isQueued = peers.stream(peer, "StoreItemsMessage", () => {
        const read = this.#lastRead.then(() => this.#read(state, peer, kept)).finally(served);
        this.#lastRead = read.catch(() => undefined);
        return read;
      });
    } finally {
      if (!isQueued) served();
    }
    return isQueued ? undefined : "too many messages wait for this peer";
  }

  async #read(state: StateExportPort, peer: Peer, request: StoreItemsRequest): Promise<Uint8Array | undefined> {
    const { startPath, skip, take } = request;
    try {
      const items = await state.exportPage(startPath, skip, take);
      if (items === undefined) return this.#refuse(peer, "there is nothing at this path");
      const counts = { nodes: items.historyItems.length, leaves: items.dataItems.length };
      this.#use.emit({ type: "storeItemsServed", peer, startPath, take, skip, ...counts });
      return encodePacket("StoreItemsMessage", items, this.#use.packetForm);
    } catch (error) {
      return this.#refuse(peer, errorText(error));
    }
  }

  #refuse(peer: Peer, reason: string): undefined {
    this.#use.emit({ type: "storeItemsRefused", peer, reason });
  }
}

/** Copies what waits, which would hold the whole message otherwise. */
function keptOf({ startPath, skip, take }: StoreItemsRequest): StoreItemsRequest | undefined {
  const bytes = startPath.reduce((sum, { hash }) => sum + hash.length, 32 * startPath.length);
  if (bytes > maxPathBytes) return undefined;
  return { startPath: startPath.map(({ hash, index }) => ({ hash: hash.slice(), index })), skip, take };
}

function nameOf({ startPath, skip, take }: StoreItemsRequest): string {
  return `${startPath.map(({ hash, index }) => `${toHex(hash)}.${index ?? ""}`).join("/")} ${skip} ${take}`;
}
