import type { ExtensionRequest, Peer } from "@vedette/network";

/** Questions to peers of our own make; `Network` has it all. @spec 10 §3.7 */
export interface PeerRequestPort {
  understands(peer: Peer, extension: string): boolean;
  /** @throws whatever keeps the answer from coming */
  ask(peer: Peer, question: ExtensionRequest): Promise<Uint8Array>;
  answer(
    extension: string,
    answer: (peerId: string, question: Uint8Array, signal: AbortSignal) => Promise<Uint8Array | undefined>,
  ): void;
}
