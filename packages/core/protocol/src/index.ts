export {
  Block,
  type BlockFields,
  type Header,
  type Justification,
} from "./block/Block.js";
export type { BlockCodec } from "./block/BlockCodec.js";
export { type Body, type Bond, type ChainState, type RejectedDeploy, rejectedIdsOf } from "./block/Body.js";
export {
  decodeBlock,
  decodeStoredBlock,
  encodeBlock,
  encodeBody,
  encodeHeader,
  findBlockHash,
} from "./block/blockEncoding.js";
export { hashBlock } from "./block/blockHash.js";
export { checkBlockNumbers } from "./block/blockNumbers.js";
export {
  type BlockSigner,
  blockAlgorithm,
  blockSignerOf,
  checkBlockSignature,
  checkDeploySignatures,
  signBlock,
} from "./block/blockSignature.js";
export { hashList, longBlock, shortBlock, shortHash } from "./block/shortText.js";
export type { Deploy, UnsignedDeploy } from "./deploy/Deploy.js";
export {
  decodeDeploy,
  encodeDeploy,
  signedBytesOfDeploy,
} from "./deploy/deployCodec.js";
export { checkDeploySignature, type DeployKey, signDeploy } from "./deploy/deploySignature.js";
export type { ProcessedDeploy, ProcessedSystemDeploy, SlashDeploy, SystemDeploy } from "./deploy/processedDeploy.js";
export type { Dialect, TransportFacts, UpkeepFacts } from "./dialect/Dialect.js";
export { f1r3node } from "./dialect/f1r3node.js";
export { dialectMark, dialectOfForm, findDialect, unmarkedDialect } from "./dialect/findDialect.js";
export { rnode } from "./dialect/rnode.js";
export { CommEvent, ConsumeEvent, type Event, ProduceEvent } from "./event/Event.js";
export { decodeEvent, encodeEvent } from "./event/eventCodec.js";
export { hashKey } from "./event/hashKey.js";
export { commForReplay, compareProduces, equalComms, isOrdered } from "./event/order.js";
export {
  type BlockRange,
  type BlockRangeRequest,
  blockRanges,
  decodeBlockRange,
  decodeBlockRangeQuestion,
  encodeBlockRange,
  encodeBlockRangeQuestion,
} from "./extension/blockRange.js";
export {
  type DeployRelayRequest,
  decodeDeployRelayAnswer,
  decodeDeployRelayQuestion,
  deployRelay,
  encodeDeployRelayAnswer,
  encodeDeployRelayQuestion,
  maxRelayIds,
  relayIdBytes,
} from "./extension/deployRelay.js";
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
export type {
  ApprovalSignature,
  ApprovedBlock,
  ApprovedBlockCandidate,
  BlockApproval,
  UnapprovedBlock,
} from "./genesis/ApprovedBlock.js";
export {
  candidateDigest,
  decodeApprovedBlock,
  decodeBlockApproval,
  decodeUnapprovedBlock,
  encodeApprovedBlock,
  encodeBlockApproval,
  encodeCandidate,
  encodeUnapprovedBlock,
} from "./genesis/approvalCodec.js";
export type { FloorSeed } from "./genesis/FloorSeed.js";
export type {
  ApprovedBlockRequest,
  BlockHashMessage,
  HashMessage,
  NoApprovedBlockAvailable,
} from "./packet/blockPackets.js";
export type {
  FloorCacheEntry,
  FloorCacheRequest,
  FloorCacheResponse,
  MergeableEntryRequest,
  MergeableEntryResponse,
} from "./packet/floorPackets.js";
export type { PacketCodec } from "./packet/PacketCodec.js";
export type { CasperMessage, PacketContents, PacketType } from "./packet/PacketContents.js";
export { decodePacket, encodePacket, findPacketType, packetTypes } from "./packet/packetTypes.js";
export {
  decodeStoreItems,
  decodeStoreItemsRequest,
  encodeStoreItems,
  encodeStoreItemsRequest,
  type StoreItem,
  type StoreItems,
  type StoreItemsRequest,
  type StoreNodeKey,
} from "./packet/statePackets.js";
export { type PeerNode, parseNodeUri, printNodeUri } from "./peer/nodeUri.js";
export { ProtoReader } from "./wire/ProtoReader.js";
export { ProtoWriter } from "./wire/ProtoWriter.js";
export { WireError, type WireFailure } from "./wire/WireError.js";
