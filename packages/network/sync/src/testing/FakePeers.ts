import type { Peer, StreamContent } from "@vedette/network";
import { type CasperMessage, decodePacket, type PacketCodec, rnode } from "@vedette/protocol";
import type { PeersPort } from "../ports/PeersPort.js";

/** A peer of a test. */
export const testPeer = (name: string): Peer => ({
  id: Buffer.from(name.padEnd(20)).toString("hex"),
  host: name,
  protocolPort: 1,
  discoveryPort: 2,
});

/** A message that was sent, and its receiver; "all" for a broadcast. */
export interface SentMessage {
  readonly to: string;
  readonly message: CasperMessage;
}

/** Peers that only record what is sent to them. */
export class FakePeers implements PeersPort {
  readonly local = testPeer("self");
  readonly peers: readonly Peer[];
  /** How they read what is sent to them. */
  packetForm: PacketCodec = rnode.packetForm;
  readonly #said: SentMessage[] = [];

  constructor(...peers: readonly Peer[]) {
    this.peers = peers;
  }

  /** Returns the messages sent since the last call, in short form. */
  take(): SentMessage[] {
    return this.#said.splice(0);
  }

  randomPeers(count: number): readonly Peer[] {
    return this.peers.slice(0, count);
  }

  async send(peer: Peer, typeId: string, content: Uint8Array): Promise<void> {
    this.#said.push({ to: peer.host, message: decodePacket(typeId, content, this.packetForm) });
  }

  stream(peer: Peer, typeId: string, content: StreamContent): boolean {
    const take = (bytes: Uint8Array | undefined) => {
      if (bytes !== undefined)
        this.#said.push({ to: peer.host, message: decodePacket(typeId, bytes, this.packetForm) });
    };
    const bytes = content();
    if (bytes instanceof Promise) void bytes.then(take);
    else take(bytes);
    return true;
  }

  async broadcast(typeId: string, content: Uint8Array): Promise<void> {
    this.#said.push({ to: "all", message: decodePacket(typeId, content, this.packetForm) });
  }

  async firstConnection(): Promise<void> {}
}
