import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { emptyBytes, fromHex } from "@vedette/crypto";
import {
  type DiscoveryNode,
  DiscoveryNodeSchema,
  LookupResponseSchema,
  LookupSchema,
  PingSchema,
  PongSchema,
} from "@vedette/protocol";
import { GrpcError, grpcStatus } from "../grpc/GrpcError.js";
import type { Peer } from "../Peer.js";
import { peerOfNode, readOptions } from "../transport/peerMessage.js";

/** The full name of the service. @spec 10 §5 */
export const kademliaService = "coop.rchain.comm.discovery.KademliaRPCService";

/** A request of a peer; an absent or impossible sender is an error in both. @spec 10 §5 */
export interface KademliaRequest {
  readonly networkId: string;
  readonly sender: Peer;
  /** The key that is looked for; empty in a ping. */
  readonly key: Uint8Array;
}

const maxAnsweredNodes = 100;

/** The bytes of a Ping. @spec 10 §5 */
export function encodePing(local: Peer, networkId: string): Uint8Array {
  return toBinary(PingSchema, create(PingSchema, { sender: nodeOf(local), networkId }));
}

/** Reads a Ping. @throws {GrpcError} @spec 10 §5 */
export function decodePing(bytes: Uint8Array): KademliaRequest {
  const { networkId, sender } = read(() => fromBinary(PingSchema, bytes, readOptions));
  return { networkId, sender: senderOf(sender), key: emptyBytes };
}

/** The bytes of a Pong. @spec 10 §5 */
export function encodePong(networkId: string): Uint8Array {
  return toBinary(PongSchema, create(PongSchema, { networkId }));
}

/** Reads a Pong. @returns the answering node's network @spec 10 §5 */
export function decodePong(bytes: Uint8Array): string {
  return read(() => fromBinary(PongSchema, bytes, readOptions)).networkId;
}

/** The bytes of a Lookup. @spec 10 §5 */
export function encodeLookup(key: Uint8Array, local: Peer, networkId: string): Uint8Array {
  return toBinary(LookupSchema, create(LookupSchema, { id: key, sender: nodeOf(local), networkId }));
}

/** Reads a Lookup. @throws {GrpcError} @spec 10 §5 */
export function decodeLookup(bytes: Uint8Array): KademliaRequest {
  const { id, networkId, sender } = read(() => fromBinary(LookupSchema, bytes, readOptions));
  return { networkId, sender: senderOf(sender), key: id };
}

/** The bytes of a LookupResponse. @spec 10 §5 */
export function encodeLookupResponse(peers: readonly Peer[], networkId: string): Uint8Array {
  return toBinary(LookupResponseSchema, create(LookupResponseSchema, { nodes: peers.map(nodeOf), networkId }));
}

/** Nodes that cannot exist are left out. @throws {GrpcError} @spec 10 §5 */
export function decodeLookupResponse(bytes: Uint8Array): { networkId: string; peers: Peer[] } {
  const { nodes, networkId } = read(() => fromBinary(LookupResponseSchema, bytes, readOptions));
  const peers = nodes.slice(0, maxAnsweredNodes).map(peerOfNode);
  return { networkId, peers: peers.filter((peer) => peer !== undefined) };
}

function nodeOf(peer: Peer): DiscoveryNode {
  return create(DiscoveryNodeSchema, {
    id: fromHex(peer.id),
    host: new TextEncoder().encode(peer.host),
    tcpPort: peer.protocolPort,
    udpPort: peer.discoveryPort,
  });
}

function senderOf(node: DiscoveryNode | undefined): Peer {
  const sender = peerOfNode(node);
  if (sender === undefined) throw new GrpcError(grpcStatus.unknown, "");
  return sender;
}

function read<Message>(decode: () => Message): Message {
  try {
    return decode();
  } catch (cause) {
    throw new GrpcError(grpcStatus.internal, "Invalid protobuf byte sequence", { cause });
  }
}
