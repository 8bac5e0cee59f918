import { fromHex, toHex } from "@vedette/crypto";
import { parseNodeUri, printNodeUri } from "@vedette/protocol";

/**
 * A peer: its identity and where it can be reached. The same as the protocol's `PeerNode`, with the id as text, so that
 * it can be compared and be a key.
 *
 * @spec 10 §2.1
 */
export interface Peer {
  /** 40 lower-case hex digits. */
  readonly id: string;
  readonly host: string;
  /** Port of the transport service (TLS). */
  readonly protocolPort: number;
  /** Port of the Kademlia service; called udp in the protocol, but it is TCP. */
  readonly discoveryPort: number;
}

/** Equality of channels, queues and the discovery filter: id and endpoint. @spec 10 §2.1 */
export function peerKey(peer: Peer): string {
  return `${peer.id}@${peer.host}:${peer.protocolPort}:${peer.discoveryPort}`;
}

/** The one printed form. @spec 10 §2.1 */
export function peerUri(peer: Peer): string {
  return printNodeUri({ ...peer, id: fromHex(peer.id) });
}

/** Reads the printed form. @spec 10 §2.1 @throws {WireError} `bad address: <text>` */
export function peerOfUri(uri: string): Peer {
  const node = parseNodeUri(uri);
  return { ...node, id: toHex(node.id) };
}
