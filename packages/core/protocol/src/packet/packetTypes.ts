import { emptyBytes } from "@vedette/crypto";
import { decodeBlock, encodeBlock } from "../block/blockEncoding.js";
import {
  decodeApprovedBlock,
  decodeBlockApproval,
  decodeUnapprovedBlock,
  encodeApprovedBlock,
  encodeBlockApproval,
  encodeUnapprovedBlock,
} from "../genesis/approvalCodec.js";
import { WireError } from "../wire/WireError.js";
import {
  decodeApprovedBlockRequest,
  decodeBlockHashMessage,
  decodeEmptyMessage,
  decodeHashMessage,
  decodeNoApprovedBlockAvailable,
  encodeApprovedBlockRequest,
  encodeBlockHashMessage,
  encodeHashMessage,
  encodeNoApprovedBlockAvailable,
} from "./blockPackets.js";
import {
  decodeFloorCacheRequest,
  decodeFloorCacheResponse,
  decodeMergeableEntryRequest,
  decodeMergeableEntryResponse,
  encodeFloorCacheRequest,
  encodeFloorCacheResponse,
  encodeMergeableEntryRequest,
  encodeMergeableEntryResponse,
} from "./floorPackets.js";
import type { PacketCodec } from "./PacketCodec.js";
import type { CasperMessage, PacketContents, PacketType } from "./PacketContents.js";
import { rnodePackets } from "./rnodePackets.js";
import {
  decodeStoreItems,
  decodeStoreItemsRequest,
  encodeStoreItems,
  encodeStoreItemsRequest,
} from "./statePackets.js";

interface PacketFacts<T> {
  /** Larger content is refused before it is looked at. The bounds are ours, far above what the network sends. */
  readonly maxContentBytes: number;
  /** `stream`: sent in chunks; `send`: in one piece. */
  readonly transport: "send" | "stream";
  readonly encode: (message: T, form: PacketCodec) => Uint8Array;
  readonly decode: (bytes: Uint8Array, form: PacketCodec) => T;
}

const maxSmallMessageBytes = 4096;
const maxBlockMessageBytes = 64 * 1024 * 1024;
/** The size of 4096 hashes, the maximum that is answered, and of the response to them. @spec 61 §16.2 */
const floorRequest = 160 * 1024;
const floorResponse = 512 * 1024;
const hashOnly = {
  maxContentBytes: maxSmallMessageBytes,
  transport: "send",
  encode: encodeHashMessage,
  decode: decodeHashMessage,
} as const;

/** Every packet type with its codec, size limit and way of travelling. @spec 10 §4.1, 40 §2, 61 §16.2 */
export const packetTypes: { readonly [T in PacketType]: PacketFacts<PacketContents[T]> } = {
  BlockHashMessage: {
    maxContentBytes: maxSmallMessageBytes,
    transport: "send",
    encode: encodeBlockHashMessage,
    decode: decodeBlockHashMessage,
  },
  BlockMessage: {
    maxContentBytes: maxBlockMessageBytes,
    transport: "stream",
    encode: encodeBlock,
    decode: (bytes, { block }) => decodeBlock(bytes, block),
  },
  HasBlockRequest: hashOnly,
  HasBlock: hashOnly,
  BlockRequest: hashOnly,
  ForkChoiceTipRequest: {
    maxContentBytes: maxSmallMessageBytes,
    transport: "send",
    encode: () => emptyBytes,
    decode: decodeEmptyMessage,
  },
  ApprovedBlock: {
    maxContentBytes: maxBlockMessageBytes,
    transport: "stream",
    encode: encodeApprovedBlock,
    decode: (bytes, { block }) => decodeApprovedBlock(bytes, block),
  },
  ApprovedBlockRequest: {
    maxContentBytes: maxSmallMessageBytes,
    transport: "send",
    encode: encodeApprovedBlockRequest,
    decode: decodeApprovedBlockRequest,
  },
  BlockApproval: {
    maxContentBytes: maxBlockMessageBytes,
    transport: "stream",
    encode: encodeBlockApproval,
    decode: (bytes, { block }) => decodeBlockApproval(bytes, block),
  },
  UnapprovedBlock: {
    maxContentBytes: maxBlockMessageBytes,
    transport: "stream",
    encode: encodeUnapprovedBlock,
    decode: (bytes, { block }) => decodeUnapprovedBlock(bytes, block),
  },
  NoApprovedBlockAvailable: {
    maxContentBytes: maxSmallMessageBytes,
    transport: "stream",
    encode: encodeNoApprovedBlockAvailable,
    decode: decodeNoApprovedBlockAvailable,
  },
  StoreItemsMessageRequest: {
    maxContentBytes: 64 * 1024,
    transport: "send",
    encode: (request, { writeIndex }) => encodeStoreItemsRequest(request, writeIndex),
    decode: decodeStoreItemsRequest,
  },
  StoreItemsMessage: {
    maxContentBytes: maxBlockMessageBytes,
    transport: "stream",
    encode: (items, { writeIndex }) => encodeStoreItems(items, writeIndex),
    decode: decodeStoreItems,
  },
  FloorCacheRequest: {
    maxContentBytes: floorRequest,
    transport: "send",
    encode: encodeFloorCacheRequest,
    decode: decodeFloorCacheRequest,
  },
  FloorCacheResponse: {
    maxContentBytes: floorResponse,
    transport: "stream",
    encode: encodeFloorCacheResponse,
    decode: decodeFloorCacheResponse,
  },
  MergeableEntryRequest: {
    maxContentBytes: maxSmallMessageBytes,
    transport: "send",
    encode: encodeMergeableEntryRequest,
    decode: decodeMergeableEntryRequest,
  },
  MergeableEntryResponse: {
    maxContentBytes: maxBlockMessageBytes,
    transport: "stream",
    encode: encodeMergeableEntryResponse,
    decode: decodeMergeableEntryResponse,
  },
};

/** The packet type of this tag text, where the dialect's nodes understand it. @spec 10 §4.1 */
export function findPacketType(typeId: string, form: PacketCodec): PacketType | undefined {
  const type = typeId as PacketType;
  return form.types.has(type) ? type : undefined;
}

/**
 * Reads a packet's content. Deploys' and approvals' signatures are not checked here.
 *
 * @spec 10 §4.1
 * @throws {WireError} `Unrecognized typeId: <x>`, or what is wrong with the content
 */
export function decodePacket(typeId: string, content: Uint8Array, form: PacketCodec): CasperMessage {
  const type = findPacketType(typeId, form);
  if (type === undefined) {
    const isOfOtherDialect = Object.hasOwn(packetTypes, typeId);
    throw new WireError({ code: "unknownPacketType", typeId, isOfOtherDialect });
  }
  const { maxContentBytes, decode } = packetTypes[type];
  if (content.length > maxContentBytes) {
    throw new WireError({ code: "tooLarge", what: type, sizeBytes: content.length, limitBytes: maxContentBytes });
  }
  return { type, message: decode(content, form) } as CasperMessage;
}

/** The packet types with content that each dialect encodes in its own way. */
type DialectPacket = "StoreItemsMessageRequest" | "StoreItemsMessage";

/** Encodes the content of a packet; most types are encoded the same way in both dialects. @spec 10 §4.1 */
export function encodePacket<T extends PacketType>(
  type: T,
  message: PacketContents[T],
  ...[form = rnodePackets]: T extends DialectPacket ? [form: PacketCodec] : [form?: PacketCodec]
): Uint8Array {
  const facts: PacketFacts<PacketContents[T]> = packetTypes[type];
  return facts.encode(message, form);
}
