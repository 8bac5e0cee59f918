import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { fromHex, toHex } from "@vedette/crypto";
import type { Dialect } from "@vedette/protocol";
import {
  HeartbeatSchema,
  type Protocol,
  ProtocolSchema,
  type RoutingNode,
  RoutingNodeSchema,
  TLRequestSchema,
  TLResponseSchema,
} from "@vedette/protocol";
import { GrpcError, grpcStatus } from "../grpc/GrpcError.js";
import type { Peer } from "../Peer.js";

/** The messages that one peer sends to another in a Send. @spec 10 §3.2 */
export type PeerMessage =
  | { readonly type: "heartbeat" }
  | { readonly type: "handshake" }
  | { readonly type: "handshakeResponse" }
  | { readonly type: "packet"; readonly typeId: string; readonly content: Uint8Array }
  | { readonly type: "disconnect" };

/** A received message with its announced sender. @spec 10 §3.2, §3.3 */
export interface ReceivedMessage {
  readonly networkId: string;
  readonly sender: Peer | undefined;
  readonly message: PeerMessage | undefined;
  /** The bytes of the Protocol message alone, for the duplicate filter; only of packets. */
  readonly tagged: Uint8Array | undefined;
}

/** An answer to a Send or a Stream. @spec 10 §3.2 */
export type PeerAnswer =
  | { readonly type: "ack"; readonly networkId: string; readonly sender: Peer | undefined }
  | { readonly type: "internalServerError"; readonly text: string }
  | { readonly type: "malformed" };

/** Fields that we do not know are dropped: they would only hold memory. */
export const readOptions = { readUnknownFields: false } as const;

const maxHostLength = 253;
const idBytes = 20;

/** The bytes of a TLRequest with one message. @spec 10 §3.2 */
export function encodeRequest(local: Peer, networkId: string, message: PeerMessage): Uint8Array {
  const protocol = create(ProtocolSchema, {
    header: { sender: nodeOfPeer(local), networkId },
    message: protocolMessage(message),
  });
  return toBinary(TLRequestSchema, create(TLRequestSchema, { protocol }));
}

/**
 * Reads a TLRequest; a message of no known kind is left out of the result.
 *
 * @spec 10 §3.2, §3.3
 * @throws {GrpcError} INTERNAL where the bytes are no TLRequest at all
 */
export function decodeRequest(bytes: Uint8Array): ReceivedMessage {
  let protocol: Protocol | undefined;
  try {
    protocol = fromBinary(TLRequestSchema, bytes, readOptions).protocol;
  } catch (cause) {
    throw new GrpcError(grpcStatus.internal, "Invalid protobuf byte sequence", { cause });
  }
  const message = protocol === undefined ? undefined : messageOfProtocol(protocol);
  return {
    networkId: protocol?.header?.networkId ?? "",
    sender: peerOfNode(protocol?.header?.sender),
    message,
    tagged: protocol !== undefined && message?.type === "packet" ? toBinary(ProtocolSchema, protocol) : undefined,
  };
}

/** The answer that a message was taken. @spec 10 §3.2, §3.4 */
export function encodeAck(local: Peer, networkId: string): Uint8Array {
  const header = { sender: nodeOfPeer(local), networkId };
  return toBinary(TLResponseSchema, create(TLResponseSchema, { payload: { case: "ack", value: { header } } }));
}

/** The answer that a message was refused. @spec 10 §3.2, §3.4, §3.6 */
export function encodeInternalServerError(text: string): Uint8Array {
  const error = new TextEncoder().encode(text);
  const payload = { case: "internalServerError", value: { error } } as const;
  return toBinary(TLResponseSchema, create(TLResponseSchema, { payload }));
}

/** Reads a TLResponse; whatever the bytes are, it is one of the three answers. @spec 10 §3.2, §3.3 */
export function decodeAnswer(bytes: Uint8Array): PeerAnswer {
  try {
    const { payload } = fromBinary(TLResponseSchema, bytes, readOptions);
    if (payload.case === "internalServerError") {
      return { type: "internalServerError", text: textOf(payload.value.error.subarray(0, 1024)) };
    }
    if (payload.case === "ack") {
      const { header } = payload.value;
      return { type: "ack", networkId: header?.networkId ?? "", sender: peerOfNode(header?.sender) };
    }
  } catch {
    // Falls through: bytes that cannot be read are as malformed as an empty answer.
  }
  return { type: "malformed" };
}

/** A peer as the wire names it. @spec 10 §3.2 */
export function nodeOfPeer(peer: Peer): RoutingNode {
  return create(RoutingNodeSchema, {
    id: fromHex(peer.id),
    host: new TextEncoder().encode(peer.host),
    tcpPort: peer.protocolPort,
    udpPort: peer.discoveryPort,
  });
}

/**
 * A peer that the wire names.
 *
 * @returns `undefined` where the node could not be reached or named: id, host or ports are impossible.
 * @spec 10 §3.2
 */
export function peerOfNode(
  node: { id: Uint8Array; host: Uint8Array; tcpPort: number; udpPort: number } | undefined,
): Peer | undefined {
  if (node === undefined || node.id.length !== idBytes) return undefined;
  if (node.host.length === 0 || node.host.length > maxHostLength) return undefined;
  if (node.tcpPort > 0xffff || node.udpPort > 0xffff) return undefined;
  const host = textOf(node.host);
  if (!/^[0-9A-Za-z_.:%-]+$/.test(host)) return undefined;
  return { id: toHex(node.id), host, protocolPort: node.tcpPort, discoveryPort: node.udpPort };
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function protocolMessage(message: PeerMessage): Protocol["message"] {
  switch (message.type) {
    case "heartbeat":
      return { case: "heartbeat", value: create(HeartbeatSchema) };
    case "handshake":
      return create(ProtocolSchema, { message: { case: "protocolHandshake", value: {} } }).message;
    case "handshakeResponse":
      return create(ProtocolSchema, { message: { case: "protocolHandshakeResponse", value: {} } }).message;
    case "disconnect":
      return create(ProtocolSchema, { message: { case: "disconnect", value: {} } }).message;
    case "packet": {
      const { typeId, content } = message;
      return create(ProtocolSchema, { message: { case: "packet", value: { typeId, content } } }).message;
    }
  }
}

function messageOfProtocol({ message }: Protocol): PeerMessage | undefined {
  switch (message.case) {
    case "heartbeat":
      return { type: "heartbeat" };
    case "protocolHandshake":
      return { type: "handshake" };
    case "protocolHandshakeResponse":
      return { type: "handshakeResponse" };
    case "disconnect":
      return { type: "disconnect" };
    case "packet":
      return { type: "packet", typeId: message.value.typeId, content: message.value.content };
    default:
      return undefined;
  }
}

/** The facts of a dialect that the transport must know. @spec 10 §9, 61 §16.1 */
export type TransportDialect = Pick<Dialect, "compressedStreamsHaveLength" | "packetForm" | "transport">;
