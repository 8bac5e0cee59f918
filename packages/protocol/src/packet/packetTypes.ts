import { emptyBytes } from "@vedette/crypto";
import type { Block } from "../block/Block.js";
import { decodeBlock, encodeBlock } from "../block/blockCodec.js";
import type { ApprovedBlock, BlockApproval, UnapprovedBlock } from "../genesis/ApprovedBlock.js";
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
  type ApprovedBlockRequest,
  type BlockHashMessage,
  decodeApprovedBlockRequest,
  decodeBlockHashMessage,
  decodeEmptyMessage,
  decodeHashMessage,
  decodeNoApprovedBlockAvailable,
  encodeApprovedBlockRequest,
  encodeBlockHashMessage,
  encodeHashMessage,
  encodeNoApprovedBlockAvailable,
  type HashMessage,
  type NoApprovedBlockAvailable,
} from "./blockPackets.js";
import {
  decodeStoreItems,
  decodeStoreItemsRequest,
  encodeStoreItems,
  encodeStoreItemsRequest,
  type StoreItems,
  type StoreItemsRequest,
} from "./statePackets.js";

/** What each packet type carries. @spec 10 §4.1, 40 §2 */
export interface PacketContents {
  readonly BlockHashMessage: BlockHashMessage;
  readonly BlockMessage: Block;
  readonly HasBlockRequest: HashMessage;
  readonly HasBlock: HashMessage;
  readonly BlockRequest: HashMessage;
  readonly ForkChoiceTipRequest: Record<never, never>;
  readonly ApprovedBlock: ApprovedBlock;
  readonly ApprovedBlockRequest: ApprovedBlockRequest;
  readonly BlockApproval: BlockApproval;
  readonly UnapprovedBlock: UnapprovedBlock;
  readonly NoApprovedBlockAvailable: NoApprovedBlockAvailable;
  readonly StoreItemsMessageRequest: StoreItemsRequest;
  readonly StoreItemsMessage: StoreItems;
}

/** The tag text of a packet. @spec 10 §4.1 */
export type PacketType = keyof PacketContents;

/** A decoded packet: its type tells the kind of its message. */
export type CasperMessage = {
  [T in PacketType]: { readonly type: T; readonly message: PacketContents[T] };
}[PacketType];

interface PacketFacts<T> {
  /** Larger content is refused before it is looked at. The bounds are ours, far above what the network sends. */
  readonly maximumBytes: number;
  /** `stream`: sent in chunks; `send`: in one piece. */
  readonly transport: "send" | "stream";
  readonly encode: (message: T) => Uint8Array;
  readonly decode: (bytes: Uint8Array) => T;
}

const small = 4096;
const large = 64 * 1024 * 1024;
const hashOnly = {
  maximumBytes: small,
  transport: "send",
  encode: encodeHashMessage,
  decode: decodeHashMessage,
} as const;

/** Every packet type with its codec, size limit and way of travelling. @spec 10 §4.1, 40 §2 */
export const packetTypes: { readonly [T in PacketType]: PacketFacts<PacketContents[T]> } = {
  BlockHashMessage: {
    maximumBytes: small,
    transport: "send",
    encode: encodeBlockHashMessage,
    decode: decodeBlockHashMessage,
  },
  BlockMessage: { maximumBytes: large, transport: "stream", encode: encodeBlock, decode: decodeBlock },
  HasBlockRequest: hashOnly,
  HasBlock: hashOnly,
  BlockRequest: hashOnly,
  ForkChoiceTipRequest: {
    maximumBytes: small,
    transport: "send",
    encode: () => emptyBytes,
    decode: decodeEmptyMessage,
  },
  ApprovedBlock: {
    maximumBytes: large,
    transport: "stream",
    encode: encodeApprovedBlock,
    decode: decodeApprovedBlock,
  },
  ApprovedBlockRequest: {
    maximumBytes: small,
    transport: "send",
    encode: encodeApprovedBlockRequest,
    decode: decodeApprovedBlockRequest,
  },
  BlockApproval: {
    maximumBytes: large,
    transport: "stream",
    encode: encodeBlockApproval,
    decode: decodeBlockApproval,
  },
  UnapprovedBlock: {
    maximumBytes: large,
    transport: "stream",
    encode: encodeUnapprovedBlock,
    decode: decodeUnapprovedBlock,
  },
  NoApprovedBlockAvailable: {
    maximumBytes: small,
    transport: "stream",
    encode: encodeNoApprovedBlockAvailable,
    decode: decodeNoApprovedBlockAvailable,
  },
  StoreItemsMessageRequest: {
    maximumBytes: 64 * 1024,
    transport: "send",
    encode: encodeStoreItemsRequest,
    decode: decodeStoreItemsRequest,
  },
  StoreItemsMessage: { maximumBytes: large, transport: "stream", encode: encodeStoreItems, decode: decodeStoreItems },
};

/** The packet type of this tag text. @spec 10 §4.1 */
export function findPacketType(typeId: string): PacketType | undefined {
  return Object.hasOwn(packetTypes, typeId) ? (typeId as PacketType) : undefined;
}

/**
 * Reads a packet's content. Deploys' and approvals' signatures are not checked here.
 *
 * @spec 10 §4.1
 * @throws {WireError} `Unrecognized typeId: <x>`, or what is wrong with the content
 */
export function decodePacket(typeId: string, content: Uint8Array): CasperMessage {
  const type = findPacketType(typeId);
  if (type === undefined) throw new WireError({ code: "unknownPacketType", typeId });
  const { maximumBytes, decode } = packetTypes[type];
  if (content.length > maximumBytes) {
    throw new WireError({ code: "tooLarge", what: type, sizeBytes: content.length, limitBytes: maximumBytes });
  }
  return { type, message: decode(content) } as CasperMessage;
}

/** The content of a packet of this type. @spec 10 §4.1 */
export function encodePacket<T extends PacketType>(type: T, message: PacketContents[T]): Uint8Array {
  const facts: PacketFacts<PacketContents[T]> = packetTypes[type];
  return facts.encode(message);
}
