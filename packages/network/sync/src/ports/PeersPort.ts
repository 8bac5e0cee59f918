import type { Peer, StreamContent } from "@vedette/network";

/** What the synchronization needs of the network; `Network` has it all. @spec 40 §2 */
export interface PeersPort {
  readonly local: Peer;
  readonly peers: readonly Peer[];
  randomPeers(count: number): readonly Peer[];
  send(peer: Peer, typeId: string, content: Uint8Array, signal?: AbortSignal): Promise<void>;
  stream(peer: Peer, typeId: string, content: StreamContent): boolean;
  broadcast(typeId: string, content: Uint8Array, scope?: number): Promise<void>;
  firstConnection(signal: AbortSignal): Promise<void>;
}
