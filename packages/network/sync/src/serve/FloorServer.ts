import type { Peer } from "@vedette/network";
import { encodePacket, type FloorCacheEntry } from "@vedette/protocol";
import type { FloorPort } from "../ports/FloorPort.js";
import type { MergeableEntryContext } from "./serveMergeableEntry.js";

/** More in one question is not answered. @spec 61 §16.2 */
const mostHashes = 4096;

/**
 * Returns what is final for blocks, as far as it was derived here; handles one request of a peer at a time.
 *
 * @spec 61 §16.2 (FloorCacheRequest)
 */
export class FloorServer {
  readonly #use: MergeableEntryContext & { readonly floors: FloorPort };
  readonly #answering = new Set<string>();

  constructor(use: MergeableEntryContext & { readonly floors: FloorPort }) {
    this.#use = use;
  }

  request(hashes: readonly Uint8Array[], peer: Peer): void {
    const { peers, packetForm, emit } = this.#use;
    if (hashes.length > mostHashes || this.#answering.has(peer.id)) return;
    this.#answering.add(peer.id);
    const isQueued = peers.stream(peer, "FloorCacheResponse", () => {
      this.#answering.delete(peer.id);
      const entries = hashes.flatMap((hash) => this.#entryOf(hash));
      emit({ type: "floorsServed", peer, asked: hashes.length, known: entries.length });
      return encodePacket("FloorCacheResponse", { entries }, packetForm);
    });
    if (!isQueued) this.#answering.delete(peer.id);
  }

  #entryOf(blockHash: Uint8Array): FloorCacheEntry[] {
    const found = this.#use.floors.find(blockHash);
    if (found?.frontier === undefined) return [];
    return [{ blockHash, floorHash: found.floor, frontierHash: found.frontier }];
  }
}
