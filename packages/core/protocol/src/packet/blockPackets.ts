import { emptyBytes } from "@vedette/crypto";
import { ProtoReader } from "../wire/ProtoReader.js";
import { ProtoWriter } from "../wire/ProtoWriter.js";

/** A message that only names a block. @spec 40 §1.6 */
export interface HashMessage {
  readonly hash: Uint8Array;
}

/** "There is this block, made by that validator." @spec 40 §1.6 */
export interface BlockHashMessage {
  readonly hash: Uint8Array;
  readonly blockCreator: Uint8Array;
}

/** "Which block do you begin with?" @spec 40 §1.6 */
export interface ApprovedBlockRequest {
  readonly identifier: string;
  /** Request the last finalized block rather than the one that the answering node began with. */
  readonly trimState: boolean;
}

/** The answer of a node that has none yet. @spec 40 §1.6 */
export interface NoApprovedBlockAvailable {
  readonly identifier: string;
  /** The answering node's own address as text. */
  readonly nodeIdentifier: string;
}

/** HasBlockRequest, HasBlock and BlockRequest have this one form. @spec 40 §1.6 */
export function encodeHashMessage(message: HashMessage): Uint8Array {
  const writer = new ProtoWriter();
  writer.bytesField(0x0a, message.hash);
  return writer.finish();
}

/** Reads a HasBlockRequest, HasBlock or BlockRequest. @spec 40 §1.6 @throws {WireError} */
export function decodeHashMessage(bytes: Uint8Array): HashMessage {
  const { hash } = decodeBlockHashMessage(bytes);
  return { hash };
}

/** The bytes of a BlockHashMessage. @spec 40 §1.6 (BlockHashMessageProto) */
export function encodeBlockHashMessage(message: BlockHashMessage): Uint8Array {
  const writer = new ProtoWriter();
  writer.bytesField(0x0a, message.hash);
  writer.bytesField(0x12, message.blockCreator);
  return writer.finish();
}

/** Reads a BlockHashMessage. @spec 40 §1.6 (BlockHashMessageProto) @throws {WireError} */
export function decodeBlockHashMessage(bytes: Uint8Array): BlockHashMessage {
  const reader = new ProtoReader(bytes);
  const end = reader.bytes.length;
  let hash: Uint8Array = emptyBytes;
  let blockCreator: Uint8Array = emptyBytes;
  while (reader.offset < end) {
    const tag = reader.tag(0, 0);
    if (tag === 0x0a) hash = reader.bytesField(end);
    else if (tag === 0x12) blockCreator = reader.bytesField(end);
    else reader.skip(tag, end);
  }
  return { hash, blockCreator };
}

/** The bytes of an ApprovedBlockRequest. @spec 40 §1.6 (ApprovedBlockRequestProto) */
export function encodeApprovedBlockRequest(message: ApprovedBlockRequest): Uint8Array {
  const writer = new ProtoWriter();
  writer.textField(0x0a, message.identifier);
  writer.boolField(0x10, message.trimState);
  return writer.finish();
}

/** Reads an ApprovedBlockRequest. @spec 40 §1.6 (ApprovedBlockRequestProto) @throws {WireError} */
export function decodeApprovedBlockRequest(bytes: Uint8Array): ApprovedBlockRequest {
  const reader = new ProtoReader(bytes);
  const end = reader.bytes.length;
  let identifier = "";
  let trimState = false;
  while (reader.offset < end) {
    const tag = reader.tag(0, 0);
    if (tag === 0x0a) identifier = reader.textField(end);
    else if (tag === 0x10) trimState = reader.boolField();
    else reader.skip(tag, end);
  }
  return { identifier, trimState };
}

/** The bytes of a NoApprovedBlockAvailable. @spec 40 §1.6 (NoApprovedBlockAvailableProto) */
export function encodeNoApprovedBlockAvailable(message: NoApprovedBlockAvailable): Uint8Array {
  const writer = new ProtoWriter();
  writer.textField(0x0a, message.identifier);
  writer.textField(0x12, message.nodeIdentifier);
  return writer.finish();
}

/** Reads a NoApprovedBlockAvailable. @spec 40 §1.6 (NoApprovedBlockAvailableProto) @throws {WireError} */
export function decodeNoApprovedBlockAvailable(bytes: Uint8Array): NoApprovedBlockAvailable {
  const reader = new ProtoReader(bytes);
  const end = reader.bytes.length;
  let identifier = "";
  let nodeIdentifier = "";
  while (reader.offset < end) {
    const tag = reader.tag(0, 0);
    if (tag === 0x0a) identifier = reader.textField(end);
    else if (tag === 0x12) nodeIdentifier = reader.textField(end);
    else reader.skip(tag, end);
  }
  return { identifier, nodeIdentifier };
}

/** A message without fields; all content is dropped. @spec 40 §1.6 @throws {WireError} */
export function decodeEmptyMessage(bytes: Uint8Array): Record<never, never> {
  const reader = new ProtoReader(bytes);
  while (reader.offset < reader.bytes.length) reader.skip(reader.tag(0, 0), reader.bytes.length);
  return {};
}
