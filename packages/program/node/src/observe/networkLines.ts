import { type Lines, linesOf } from "@vedette/config/log";
import { type NetworkEvent, peerUri } from "@vedette/network";

const { debug, info, warn } = linesOf("network");

/** The log lines of peers. @spec 50 §6.2, 10 §3–§6 */
export const networkLines: Lines<NetworkEvent> = {
  listening: ({ local }) => info(`Listening for traffic on ${peerUri(local)}.`),
  kademliaStarted: ({ host, port }) => info(`Kademlia RPC server started at ${host}:${port}`),
  peersChanged: ({ count }) => info(`Peers: ${count}`),
  inboundQueueCreated: ({ peer }) => debug(`Creating inbound message queue for ${peerUri(peer)}.`),
  channelCreated: ({ peer }) => debug(`Creating new channel to peer ${peerUri(peer)}`),
  messageReceived: () => undefined,
  messageSent: () => undefined,
  streamReceived: ({ peer, typeId, bytes }) => debug(`Received ${typeId} of ${bytes} bytes from ${peerUri(peer)}`),
  streamSent: ({ peer, typeId, bytes }) => debug(`Streamed ${typeId} of ${bytes} bytes to ${peerUri(peer)}`),
  streamFailed: ({ peer, typeId, reason }) => warn(`Error while streaming ${typeId} to ${peerUri(peer)}: ${reason}`),
  outboundStreamDropped: ({ peer, limit }) =>
    warn(`Client stream message queue for ${peerUri(peer)} is full (${limit} items). Dropping message.`),
  packetDropped: ({ peer, kind, reason }) => warn(`Dropping ${kind} from ${peerUri(peer)}: ${reason}`),
  callRefused: ({ method, peerId, reason }) => warn(`Refused ${method} from ${peerId}: ${reason}`),
  handshakeAnswered: ({ peer }) => info(`Responded to protocol handshake request from ${peerUri(peer)}`),
  handshakeFailed: ({ peer, reason, wrongNetwork }) =>
    wrongNetwork
      ? warn(`Can't connect to peer ${peerUri(peer)}. ${reason}`)
      : debug(`Can't connect to peer ${peerUri(peer)}. ${reason}`),
  peerForgotten: ({ peer }) => info(`Forgetting about ${peerUri(peer)}.`),
  peerUnreachable: ({ peer, reason }) => warn(`Removing peer ${peerUri(peer)} from connections: ${reason}`),
  unexpectedMessage: ({ peer, kind }) => warn(`Unexpected message ${kind} from ${peerUri(peer)}`),
  handlerFailed: ({ peer, kind, reason }) => warn(`Error while handling ${kind} from ${peerUri(peer)}: ${reason}`),
  ownAddressChanged: ({ host }) => info(`external IP address has changed to ${host}`),
  ownAddressGuessed: ({ host, source }) => info(`guessed ${host} from source: ${source}`),
};
