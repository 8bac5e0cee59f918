import { errorText } from "@vedette/errors";
import type { EmitNetworkEvent } from "../NetworkEvent.js";
import type { Peer } from "../Peer.js";
import type { PeerMessage } from "../transport/peerMessage.js";
import type { Connections } from "./Connections.js";

/** The parts that the handling of messages needs. @spec 10 §4 */
export interface MessageHandling {
  readonly connections: Connections;
  readonly send: (peer: Peer, message: PeerMessage) => Promise<void>;
  readonly handlePacket: (peer: Peer, typeId: string, content: Uint8Array) => Promise<void>;
  readonly emit: EmitNetworkEvent;
  /** Receives a peer that was reached at the address that it states, so that no other one can answer there. */
  readonly onProven: (peer: Peer) => void;
}

/**
 * Handles a message of a peer.
 *
 * @spec 10 §4
 */
export async function handleMessage(sender: Peer, message: PeerMessage, use: MessageHandling): Promise<void> {
  switch (message.type) {
    case "heartbeat":
      use.connections.refresh(sender.id);
      return;
    case "handshake":
      return answerHandshake(sender, use);
    case "handshakeResponse":
      use.connections.add(sender);
      return;
    case "disconnect":
      use.emit({ type: "peerForgotten", peer: sender });
      use.connections.remove(sender.id);
      return;
    case "packet":
      return use.handlePacket(sender, message.typeId, message.content);
  }
}

/** The answer is a call of our own to the peer's announced endpoint; only a peer that it reaches is added. */
async function answerHandshake(sender: Peer, use: MessageHandling): Promise<void> {
  try {
    await use.send(sender, { type: "handshakeResponse" });
  } catch (error) {
    const reason = errorText(error);
    use.emit({ type: "handshakeFailed", peer: sender, reason, wrongNetwork: false });
    return;
  }
  use.onProven(sender);
  use.emit({ type: "handshakeAnswered", peer: sender });
  use.connections.add(sender);
}
