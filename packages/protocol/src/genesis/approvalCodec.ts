import { blake2b256, emptyBytes } from "@vedette/crypto";
import { encodeBlock, readBlock } from "../block/blockCodec.js";
import { singular } from "../block/bodyCodec.js";
import { ProtoReader } from "../wire/ProtoReader.js";
import { ProtoWriter } from "../wire/ProtoWriter.js";
import type {
  ApprovalSignature,
  ApprovedBlock,
  ApprovedBlockCandidate,
  BlockApproval,
  UnapprovedBlock,
} from "./ApprovedBlock.js";

const noSignature: ApprovalSignature = { publicKey: emptyBytes, algorithm: "", signature: emptyBytes };

/** The protobuf bytes of a candidate. @spec 40 §1.6 */
export function encodeCandidate(candidate: ApprovedBlockCandidate): Uint8Array {
  const block = encodeBlock(candidate.block);
  const writer = new ProtoWriter(block.length + 32);
  writer.bytesField(0x0a, block);
  writer.int32Field(0x10, candidate.requiredSignatures);
  return writer.finish();
}

/** What approvals sign. @spec 40 §1.6 */
export function candidateDigest(candidate: ApprovedBlockCandidate): Uint8Array {
  return blake2b256(encodeCandidate(candidate));
}

/** The bytes of an ApprovedBlock. @spec 40 §1.6 (ApprovedBlockProto) */
export function encodeApprovedBlock(approved: ApprovedBlock): Uint8Array {
  const candidate = encodeCandidate(approved.candidate);
  const writer = new ProtoWriter(candidate.length + 1024);
  writer.bytesField(0x0a, candidate);
  for (const signature of approved.signatures) {
    const start = writer.begin(0x12);
    writeSignature(writer, signature);
    writer.finishMember(start);
  }
  return writer.finish();
}

/** Reads an ApprovedBlock. @spec 40 §1.6 (ApprovedBlockProto) @throws {WireError} */
export function decodeApprovedBlock(bytes: Uint8Array): ApprovedBlock {
  const reader = new ProtoReader(bytes);
  const end = reader.bytes.length;
  let candidate: ApprovedBlockCandidate | undefined;
  const signatures: ApprovalSignature[] = [];
  let last = 0;
  while (reader.offset < end) {
    const tag = reader.tag(last, 1 << 2);
    last = tag;
    if (tag === 0x0a) candidate = readCandidate(reader, singular(reader, end));
    else if (tag === 0x12) signatures.push(readSignature(reader, reader.end(end)));
    else reader.skip(tag, end);
  }
  return { candidate: candidate ?? readCandidate(new ProtoReader(emptyBytes), 0), signatures };
}

/** The bytes of a BlockApproval. @spec 40 §1.6 (BlockApprovalProto) */
export function encodeBlockApproval(approval: BlockApproval): Uint8Array {
  const candidate = encodeCandidate(approval.candidate);
  const writer = new ProtoWriter(candidate.length + 1024);
  writer.bytesField(0x0a, candidate);
  const start = writer.begin(0x12);
  writeSignature(writer, approval.signature);
  writer.finishSingular(start);
  return writer.finish();
}

/** Reads a BlockApproval. @spec 40 §1.6 (BlockApprovalProto) @throws {WireError} */
export function decodeBlockApproval(bytes: Uint8Array): BlockApproval {
  const reader = new ProtoReader(bytes);
  const end = reader.bytes.length;
  let candidate: ApprovedBlockCandidate | undefined;
  let signature = noSignature;
  let last = 0;
  while (reader.offset < end) {
    const tag = reader.tag(last, 0);
    last = tag;
    if (tag === 0x0a) candidate = readCandidate(reader, singular(reader, end));
    else if (tag === 0x12) signature = readSignature(reader, singular(reader, end));
    else reader.skip(tag, end);
  }
  return { candidate: candidate ?? readCandidate(new ProtoReader(emptyBytes), 0), signature };
}

/** The bytes of an UnapprovedBlock. @spec 40 §1.6 (UnapprovedBlockProto) */
export function encodeUnapprovedBlock(unapproved: UnapprovedBlock): Uint8Array {
  const candidate = encodeCandidate(unapproved.candidate);
  const writer = new ProtoWriter(candidate.length + 64);
  writer.bytesField(0x0a, candidate);
  writer.int64Field(0x10, unapproved.timestamp);
  writer.int64Field(0x18, unapproved.durationMs);
  return writer.finish();
}

/** Reads an UnapprovedBlock. @spec 40 §1.6 (UnapprovedBlockProto) @throws {WireError} */
export function decodeUnapprovedBlock(bytes: Uint8Array): UnapprovedBlock {
  const reader = new ProtoReader(bytes);
  const end = reader.bytes.length;
  let candidate: ApprovedBlockCandidate | undefined;
  let timestamp = 0n;
  let durationMs = 0n;
  let last = 0;
  while (reader.offset < end) {
    const tag = reader.tag(last, 0);
    last = tag;
    if (tag === 0x0a) candidate = readCandidate(reader, singular(reader, end));
    else if (tag === 0x10) timestamp = reader.int64Field();
    else if (tag === 0x18) durationMs = reader.int64Field();
    else reader.skip(tag, end);
  }
  return { candidate: candidate ?? readCandidate(new ProtoReader(emptyBytes), 0), timestamp, durationMs };
}

function readCandidate(reader: ProtoReader, end: number): ApprovedBlockCandidate {
  let block: ApprovedBlockCandidate["block"] | undefined;
  let requiredSignatures = 0;
  let last = 0;
  while (reader.offset < end) {
    const tag = reader.tag(last, 0);
    last = tag;
    if (tag === 0x0a) block = readBlock(reader, singular(reader, end));
    else if (tag === 0x10) requiredSignatures = reader.int32Field();
    else reader.skip(tag, end);
  }
  reader.close(end);
  return { block: block ?? readBlock(new ProtoReader(emptyBytes), 0), requiredSignatures };
}

function writeSignature(writer: ProtoWriter, signature: ApprovalSignature): void {
  writer.bytesField(0x0a, signature.publicKey);
  writer.textField(0x12, signature.algorithm);
  writer.bytesField(0x1a, signature.signature);
}

function readSignature(reader: ProtoReader, end: number): ApprovalSignature {
  let { publicKey, algorithm, signature } = noSignature;
  let last = 0;
  while (reader.offset < end) {
    const tag = reader.tag(last, 0);
    last = tag;
    if (tag === 0x0a) publicKey = reader.bytesField(end);
    else if (tag === 0x12) algorithm = reader.textField(end);
    else if (tag === 0x1a) signature = reader.bytesField(end);
    else reader.skip(tag, end);
  }
  reader.close(end);
  return { publicKey, algorithm, signature };
}
