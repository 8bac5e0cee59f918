import type { Peer, PeerExtensionRequest, StreamContent } from "@vedette/network";

/** The part of the network that the synchronization needs; `Network` implements it. @spec 40 §2 */
export interface PeersPort {
  readonly local: Peer;
  readonly peers: readonly Peer[];
  randomPeers(count: number): readonly Peer[];
  send(peer: Peer, typeId: string, content: Uint8Array, signal?: AbortSignal): Promise<void>;
  stream(peer: Peer, typeId: string, content: StreamContent): boolean;
  broadcast(typeId: string, content: Uint8Array, scope?: number): Promise<void>;
  firstConnection(signal: AbortSignal): Promise<void>;
}

/** Questions to peers of our own make; `Network` has it all. @spec 10 §3.7 */
export interface PeerRequestPort {
  understands(peer: Peer, extension: string): boolean;
  /** @throws whatever keeps the answer from coming */
  ask(peer: Peer, question: PeerExtensionRequest): Promise<Uint8Array>;
  answer(
    extension: string,
    answer: (peerId: string, question: Uint8Array, signal: AbortSignal) => Promise<Uint8Array | undefined>,
  ): void;
}
