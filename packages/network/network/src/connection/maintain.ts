import { errorText } from "@vedette/errors";
import { NetworkError } from "../NetworkError.js";
import type { EmitNetworkEvent } from "../NetworkEvent.js";
import type { Peer } from "../Peer.js";
import type { PeerMessage } from "../transport/peerMessage.js";
import type { Connections } from "./Connections.js";

/** The parts that the upkeep of connections needs. @spec 10 §4 */
export interface ConnectionMaintenanceDeps {
  readonly connections: Connections;
  readonly send: (peer: Peer, message: PeerMessage, signal?: AbortSignal) => Promise<void>;
  readonly emit: EmitNetworkEvent;
  /** Receives each peer that was offered a handshake, and whether it has taken it: only the owner of its id can. */
  readonly onOffered: (peer: Peer, isTaken: boolean) => void;
}

/**
 * Offers a handshake to peers that are known but not connected, some at a time.
 *
 * The peer is added when its answer arrives as a message of its own, not here.
 *
 * @spec 10 §4
 */
export async function handshakeRound(
  use: ConnectionMaintenanceDeps,
  peers: readonly Peer[],
  signal: AbortSignal,
): Promise<void> {
  const waiting = peers.filter((peer) => !use.connections.has(peer));
  const worker = async () => {
    for (let peer = waiting.shift(); peer !== undefined && !signal.aborted; peer = waiting.shift()) {
      await offerHandshake(use, peer, signal);
    }
  };
  await Promise.all(Array.from({ length: handshakesAtOnce }, worker));
}

const handshakesAtOnce = 8;

/** Offers a handshake to one peer. @returns whether the peer took the handshake @spec 10 §4 */
export async function offerHandshake(
  use: ConnectionMaintenanceDeps,
  peer: Peer,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await use.send(peer, { type: "handshake" }, signal);
    use.onOffered(peer, true);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    use.onOffered(peer, false);
    const wrongNetwork = error instanceof NetworkError && error.failure.code === "wrongNetwork";
    const reason = errorText(error);
    use.emit({ type: "handshakeFailed", peer, reason, wrongNetwork });
    return false;
  }
}
