export { addressKey, isOwnMachine } from "./address/addressKey.js";
export type { ExtensionHandler, ExtensionLimits } from "./extension/ExtensionServer.js";
export { fetchText } from "./externalAddress/fetchText.js";
export { type AddressSources, checkOwnHost, guessOwnHost } from "./externalAddress/ownAddress.js";
export { defaultRouterSearch, Router, type RouterSearch } from "./externalAddress/Router.js";
export {
  ConnectionLimiter,
  type ConnectionLimits,
  type ConnectionState,
  type LimitedConnection,
  type LimitReached,
  placesFor,
  UnupgradedSocket,
} from "./grpc/ConnectionLimiter.js";
export { closeOnNextTurn } from "./grpc/closeOnNextTurn.js";
export { onSession } from "./grpc/onSession.js";
export { defaultServerLimits, type GrpcServerLimits, type PeerConnectionCounts } from "./grpc/PeerGrpcServer.js";
export {
  type NewSession,
  ServedSession,
  type SessionTimes,
  type SessionWatcher,
  usualTimes,
} from "./grpc/ServedSession.js";
export { type HandlePacket, Network, type NetworkOptions } from "./Network.js";
export { NetworkError, type NetworkFailure } from "./NetworkError.js";
export type { EmitNetworkEvent, NetworkEvent } from "./NetworkEvent.js";
export { type Peer, peerOfUri, peerUri } from "./Peer.js";
export {
  defaultOutboundLimits,
  type OutboundLimits,
  type PeerExtensionRequest,
  type StreamContent,
} from "./transport/TransportClient.js";
export { defaultInboundLimits, type InboundLimits } from "./transport/TransportServer.js";
