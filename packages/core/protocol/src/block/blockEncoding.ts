import { emptyBytes } from "@vedette/crypto";
import { ProtoReader } from "../wire/ProtoReader.js";
import { ProtoWriter } from "../wire/ProtoWriter.js";
import { Block, type Header, type Justification } from "./Block.js";
import type { BlockCodec } from "./BlockCodec.js";
import type { Body } from "./Body.js";
import { type BodyDraft, emptyBodyDraft, readBody, writeBody } from "./bodyCodec.js";

/** The canonical protobuf bytes of a block (BlockMessageProto); made once. @spec 40 §1.1 */
export function encodeBlock(block: Block): Uint8Array {
  if (block.cachedEncoding === undefined) {
    const body = encodeBody(block);
    const writer = new ProtoWriter(body.length + 4096);
    writeBlock(writer, block, encodeHeader(block), body);
    block.cachedEncoding = writer.finish();
  }
  return block.cachedEncoding;
}

/** The protobuf bytes of a block's header, part of its hash. @spec 40 §1.3 */
export function encodeHeader(block: Block): Uint8Array {
  if (block.cachedHeader === undefined) {
    const writer = new ProtoWriter();
    writeHeader(writer, block.header);
    block.cachedHeader = writer.finish();
  }
  return block.cachedHeader;
}

/** The protobuf bytes of a block's body, part of its hash. @spec 40 §1.3 */
export function encodeBody(block: Block): Uint8Array {
  if (block.cachedBody === undefined) {
    const writer = new ProtoWriter(4096);
    writeBody(writer, block.body, block.form);
    block.cachedBody = writer.finish();
  }
  return block.cachedBody;
}

/**
 * Reads a BlockMessageProto of this form. Unknown fields are dropped; deploys' signatures are not checked here.
 *
 * @spec 40 §1.1, §1.2
 * @param maxItems list elements and sub-messages
 * @throws {WireError} for malformed bytes, an event without a variant, a deploy with an unknown algorithm, too many items,
 *   a sub-message that is absent where the form always has it
 * @cost grows with the number of events; the block keeps views into `bytes`, which must not change any more
 */
export function decodeBlock(bytes: Uint8Array, form: BlockCodec, maxItems?: number): Block {
  const reader = new ProtoReader(bytes, maxItems);
  return decodeBlockFrom(reader, reader.bytes.length, form);
}

/**
 * As {@link decodeBlock}, for bytes that {@link encodeBlock} has written: the event logs, by far the largest part, are
 * decoded at the first use.
 *
 * @throws {WireError} for damaged bytes, for those of a log at its first use
 */
export function decodeStoredBlock(bytes: Uint8Array, form: BlockCodec): Block {
  const reader = new ProtoReader(bytes);
  reader.defersLogs = true;
  return decodeBlockFrom(reader, reader.bytes.length, form);
}

const hashBytes = 32;

/**
 * The hash that the bytes of a block begin with, without reading any further.
 *
 * @returns `undefined` where they begin otherwise, as no encoder's do
 */
export function findBlockHash(bytes: Uint8Array): Uint8Array | undefined {
  return bytes[0] === 0x0a && bytes[1] === hashBytes && bytes.length >= 2 + hashBytes
    ? bytes.slice(2, 2 + hashBytes)
    : undefined;
}

/** Writes a block's fields. */
function writeBlock(writer: ProtoWriter, block: Block, header: Uint8Array, body: Uint8Array): void {
  writer.bytesField(0x0a, block.hash);
  block.form.presence.write(writer, 0x12, header);
  block.form.presence.write(writer, 0x1a, body);
  for (const { validator, latestBlockHash } of block.justifications) {
    const start = writer.begin(0x22);
    writer.bytesField(0x0a, validator);
    writer.bytesField(0x12, latestBlockHash);
    writer.finishMember(start);
  }
  writer.bytesField(0x2a, block.sender);
  writer.int32Field(0x30, block.sequenceNumber);
  writer.bytesField(0x3a, block.signature);
  writer.textField(0x42, block.signatureAlgorithm);
  writer.textField(0x4a, block.shardId);
  writer.bytesField(0x52, block.extraBytes);
}

function writeHeader(writer: ProtoWriter, header: Header): void {
  for (const parent of header.parents) writer.bytesElement(0x0a, parent);
  writer.int64Field(0x28, header.timestamp);
  writer.int64Field(0x30, header.version);
  writer.bytesField(0x3a, header.extraBytes);
}

interface HeaderDraft {
  readonly parents: Uint8Array[];
  timestamp: bigint;
  version: bigint;
  extraBytes: Uint8Array;
}

interface BlockDraft {
  hash: Uint8Array;
  readonly header: HeaderDraft;
  readonly body: BodyDraft;
  readonly justifications: Justification[];
  sender: Uint8Array;
  sequenceNumber: number;
  signature: Uint8Array;
  signatureAlgorithm: string;
  shardId: string;
  extraBytes: Uint8Array;
  readonly form: BlockCodec;
}

/** Where a part lies in the received bytes, if it was there. */
interface Parts {
  header: Uint8Array | undefined;
  body: Uint8Array | undefined;
}

/** Reads a block's fields up to `end`. @throws {WireError} */
export function decodeBlockFrom(reader: ProtoReader, end: number, form: BlockCodec): Block {
  const start = reader.offset;
  const draft = emptyDraft(form);
  const parts: Parts = { header: undefined, body: undefined };
  const canonicalBefore = reader.canonical;
  reader.canonical = true;
  let last = 0;
  while (reader.offset < end) {
    const tag = reader.tag(last, 1 << 4);
    readBlockField(reader, tag, end, draft, tag === last ? undefined : parts);
    last = tag;
  }
  reader.close(end);
  form.presence.check(parts.header, "header");
  form.presence.check(parts.body, "body");
  const block = new Block(draft satisfies { header: Header; body: Body });
  if (reader.canonical) {
    block.cachedEncoding = reader.bytes.subarray(start, end);
    block.cachedHeader = parts.header ?? emptyBytes;
    block.cachedBody = parts.body ?? emptyBytes;
  }
  reader.canonical &&= canonicalBefore;
  return block;
}

function readBlockField(
  reader: ProtoReader,
  tag: number,
  end: number,
  draft: BlockDraft,
  parts: Parts | undefined,
): void {
  switch (tag) {
    case 0x0a:
      draft.hash = reader.bytesField(end);
      return;
    case 0x12: {
      const inner = draft.form.presence.end(reader, end);
      if (parts !== undefined) parts.header = reader.bytes.subarray(reader.offset, inner);
      readHeader(reader, inner, draft.header);
      return;
    }
    case 0x1a: {
      const inner = draft.form.presence.end(reader, end);
      if (parts !== undefined) parts.body = reader.bytes.subarray(reader.offset, inner);
      readBody(reader, inner, draft.form, draft.body);
      return;
    }
    case 0x22:
      draft.justifications.push(readJustification(reader, reader.end(end)));
      return;
    case 0x2a:
      draft.sender = reader.bytesField(end);
      return;
    case 0x30:
      draft.sequenceNumber = reader.int32Field();
      return;
    case 0x3a:
      draft.signature = reader.bytesField(end);
      return;
    case 0x42:
      draft.signatureAlgorithm = reader.textField(end);
      return;
    case 0x4a:
      draft.shardId = reader.textField(end);
      return;
    case 0x52:
      draft.extraBytes = reader.bytesField(end);
      return;
    default:
      reader.skip(tag, end);
  }
}

function readHeader(reader: ProtoReader, end: number, header: HeaderDraft): void {
  let last = 0;
  while (reader.offset < end) {
    const tag = reader.tag(last, 1 << 1);
    last = tag;
    switch (tag) {
      case 0x0a:
        header.parents.push(reader.bytesElement(end));
        break;
      case 0x28:
        header.timestamp = reader.int64Field();
        break;
      case 0x30:
        header.version = reader.int64Field();
        break;
      case 0x3a:
        header.extraBytes = reader.bytesField(end);
        break;
      default:
        reader.skip(tag, end);
    }
  }
  reader.close(end);
}

function readJustification(reader: ProtoReader, end: number): Justification {
  let validator: Uint8Array = emptyBytes;
  let latestBlockHash: Uint8Array = emptyBytes;
  let last = 0;
  while (reader.offset < end) {
    const tag = reader.tag(last, 0);
    last = tag;
    if (tag === 0x0a) validator = reader.bytesField(end);
    else if (tag === 0x12) latestBlockHash = reader.bytesField(end);
    else reader.skip(tag, end);
  }
  reader.close(end);
  return { validator, latestBlockHash };
}

function emptyDraft(form: BlockCodec): BlockDraft {
  return {
    hash: emptyBytes,
    header: { parents: [], timestamp: 0n, version: 0n, extraBytes: emptyBytes },
    body: emptyBodyDraft(),
    justifications: [],
    sender: emptyBytes,
    sequenceNumber: 0,
    signature: emptyBytes,
    signatureAlgorithm: "",
    shardId: "",
    extraBytes: emptyBytes,
    form,
  };
}
