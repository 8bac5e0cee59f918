import type { Peer } from "./Peer.js";

/**
 * The events of the network of peers; `node/observe` alone defines the words and the numbers for them.
 *
 * @spec 10 §3.4, §3.5, §3.6, §4, §5, §6, §8
 */
export type NetworkEvent =
  | { readonly type: "listening"; readonly local: Peer }
  | { readonly type: "kademliaStarted"; readonly host: string; readonly port: number }
  | { readonly type: "peersChanged"; readonly count: number }
  | { readonly type: "inboundQueueCreated"; readonly peer: Peer }
  | { readonly type: "channelCreated"; readonly peer: Peer }
  | { readonly type: "messageReceived"; readonly peer: Peer; readonly kind: string; readonly bytes: number }
  | { readonly type: "messageSent"; readonly peer: Peer; readonly kind: string; readonly bytes: number }
  | { readonly type: "streamReceived"; readonly peer: Peer; readonly typeId: string; readonly bytes: number }
  | { readonly type: "streamSent"; readonly peer: Peer; readonly typeId: string; readonly bytes: number }
  | { readonly type: "streamFailed"; readonly peer: Peer; readonly typeId: string; readonly reason: string }
  | { readonly type: "outboundStreamDropped"; readonly peer: Peer; readonly limit: number }
  | { readonly type: "packetDropped"; readonly peer: Peer; readonly kind: string; readonly reason: string }
  | { readonly type: "callRefused"; readonly method: string; readonly peerId: string; readonly reason: string }
  | { readonly type: "handshakeAnswered"; readonly peer: Peer }
  | {
      readonly type: "handshakeFailed";
      readonly peer: Peer;
      readonly reason: string;
      readonly wrongNetwork: boolean;
    }
  | { readonly type: "peerForgotten"; readonly peer: Peer }
  | { readonly type: "peerUnreachable"; readonly peer: Peer; readonly reason: string }
  | { readonly type: "unexpectedMessage"; readonly peer: Peer; readonly kind: string }
  | { readonly type: "handlerFailed"; readonly peer: Peer; readonly kind: string; readonly reason: string }
  | { readonly type: "ownAddressChanged"; readonly host: string }
  | { readonly type: "ownAddressGuessed"; readonly host: string; readonly source: string };

/** Takes an event; must not throw. */
export type EmitNetworkEvent = (event: NetworkEvent) => void;
