export { CommEvent, ConsumeEvent, type Event, ProduceEvent } from "./event/Event.js";
export { decodeEvent, encodeEvent } from "./event/eventCodec.js";
export { hashKey } from "./event/hashKey.js";
export { commForReplay, compareProduces, equalComms } from "./event/order.js";
export {
  KademliaRPCService,
  type Lookup,
  type LookupResponse,
  LookupResponseSchema,
  LookupSchema,
  type Node as DiscoveryNode,
  NodeSchema as DiscoveryNodeSchema,
  type Ping,
  PingSchema,
  type Pong,
  PongSchema,
} from "./generated/discovery/kademlia_pb.js";
export {
  type Ack,
  AckSchema,
  type Chunk,
  type ChunkData,
  ChunkDataSchema,
  type ChunkHeader,
  ChunkHeaderSchema,
  ChunkSchema,
  type Disconnect,
  DisconnectSchema,
  type Header as RoutingHeader,
  HeaderSchema as RoutingHeaderSchema,
  type Heartbeat,
  type HeartbeatResponse,
  HeartbeatResponseSchema,
  HeartbeatSchema,
  type InternalServerError,
  InternalServerErrorSchema,
  type Node as RoutingNode,
  NodeSchema as RoutingNodeSchema,
  type Packet,
  PacketSchema,
  type Protocol,
  type ProtocolHandshake,
  type ProtocolHandshakeResponse,
  ProtocolHandshakeResponseSchema,
  ProtocolHandshakeSchema,
  ProtocolSchema,
  type TLRequest,
  TLRequestSchema,
  type TLResponse,
  TLResponseSchema,
  TransportLayer,
} from "./generated/routing/routing_pb.js";
export { ProtoReader } from "./wire/ProtoReader.js";
export { ProtoWriter } from "./wire/ProtoWriter.js";
export { WireError, type WireFailure } from "./wire/WireError.js";
