/** A peer: who it is and where it can be reached. @spec 10 §2.1 */
export interface PeerNode {
  /** 40 lower-case hex digits. */
  readonly id: string;
  readonly host: string;
  /** Port of the transport service (TLS). */
  readonly protocolPort: number;
  /** Port of the Kademlia service; called udp in the protocol, but it is TCP. */
  readonly discoveryPort: number;
}

/** Equality of channels, queues and the discovery filter: id and endpoint. @spec 10 §2.1 */
export function peerKey(peer: PeerNode): string {
  return `${peer.id}@${peer.host}:${peer.protocolPort}:${peer.discoveryPort}`;
}

/** The one printed form. @spec 10 §2.1 */
export function peerUri(peer: PeerNode): string {
  return `rnode://${peer.id}@${peer.host}?protocol=${peer.protocolPort}&discovery=${peer.discoveryPort}`;
}
