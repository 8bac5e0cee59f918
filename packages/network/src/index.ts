export { addressKey, isOwnMachine } from "./address/addressKey.js";
export type { AnswerQuestion, ExtensionLimits } from "./extension/ExtensionServer.js";
export {
  ConnectionPlaces,
  type ConnectionState,
  type NoPlace,
  type PlaceHolder,
  type PlaceLimits,
  placesFor,
} from "./grpc/ConnectionPlaces.js";
export { endLater } from "./grpc/endLater.js";
export { defaultServerLimits, type GrpcServerLimits, type PeerConnectionCounts } from "./grpc/GrpcServer.js";
export { HeldSocket } from "./grpc/HeldSocket.js";
export { onSession } from "./grpc/onSession.js";
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
export { fetchText } from "./ownAddress/fetchText.js";
export { type AddressSources, checkOwnHost, guessOwnHost } from "./ownAddress/ownAddress.js";
export { defaultRouterSearch, Router, type RouterSearch } from "./ownAddress/Router.js";
export { type Peer, peerOfUri, peerUri } from "./Peer.js";
export {
  defaultOutboundLimits,
  type OutboundLimits,
  type Question,
  type StreamContent,
} from "./transport/TransportClient.js";
export { defaultInboundLimits, type InboundLimits } from "./transport/TransportServer.js";
