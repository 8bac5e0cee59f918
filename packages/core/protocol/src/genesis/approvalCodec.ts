import { blake2b256, emptyBytes } from "@vedette/crypto";
import type { BlockCodec, Draft } from "../block/BlockCodec.js";
import { decodeBlockFrom, encodeBlock } from "../block/blockEncoding.js";
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
  candidate.block.form.presence.write(writer, 0x0a, block);
  writer.int32Field(0x10, candidate.requiredSignatures);
  return writer.finish();
}

/** Returns the digest that approvals sign. @spec 40 §1.6 */
export function candidateDigest(candidate: ApprovedBlockCandidate): Uint8Array {
  return blake2b256(encodeCandidate(candidate));
}

/** The bytes of an ApprovedBlock. @spec 40 §1.6 (ApprovedBlockProto) */
export function encodeApprovedBlock(approved: ApprovedBlock): Uint8Array {
  const { form } = approved.candidate.block;
  const candidate = encodeCandidate(approved.candidate);
  const writer = new ProtoWriter(candidate.length + 1024);
  form.presence.write(writer, 0x0a, candidate);
  for (const signature of approved.signatures) {
    const start = writer.begin(0x12);
    writeSignature(writer, signature);
    writer.finishMember(start);
  }
  form.approvedBlock.write(writer, approved);
  return writer.finish();
}

/** Reads an ApprovedBlock. @spec 40 §1.6 (ApprovedBlockProto) @throws {WireError} */
export function decodeApprovedBlock(bytes: Uint8Array, form: BlockCodec): ApprovedBlock {
  const reader = new ProtoReader(bytes);
  const end = reader.bytes.length;
  let candidate: ApprovedBlockCandidate | undefined;
  const signatures: ApprovalSignature[] = [];
  const further: Draft<Pick<ApprovedBlock, "floorSeed">> = {};
  let last = 0;
  while (reader.offset < end) {
    const tag = reader.tag(last, 1 << 2);
    last = tag;
    if (tag === 0x0a) candidate = readCandidate(reader, form, form.presence.end(reader, end));
    else if (tag === 0x12) signatures.push(readSignature(reader, reader.end(end)));
    else form.approvedBlock.read(reader, tag, end, further);
  }
  form.presence.check(candidate, "candidate");
  return { candidate: candidate ?? emptyCandidate(form), signatures, ...further };
}

/** The bytes of a BlockApproval. @spec 40 §1.6 (BlockApprovalProto) */
export function encodeBlockApproval(approval: BlockApproval): Uint8Array {
  const { presence } = approval.candidate.block.form;
  const candidate = encodeCandidate(approval.candidate);
  const writer = new ProtoWriter(candidate.length + 1024);
  presence.write(writer, 0x0a, candidate);
  const start = writer.begin(0x12);
  writeSignature(writer, approval.signature);
  presence.finish(writer, start);
  return writer.finish();
}

/** Reads a BlockApproval. @spec 40 §1.6 (BlockApprovalProto) @throws {WireError} */
export function decodeBlockApproval(bytes: Uint8Array, form: BlockCodec): BlockApproval {
  const reader = new ProtoReader(bytes);
  const end = reader.bytes.length;
  let candidate: ApprovedBlockCandidate | undefined;
  let signature: ApprovalSignature | undefined;
  let last = 0;
  while (reader.offset < end) {
    const tag = reader.tag(last, 0);
    last = tag;
    if (tag === 0x0a) candidate = readCandidate(reader, form, form.presence.end(reader, end));
    else if (tag === 0x12) signature = readSignature(reader, form.presence.end(reader, end));
    else reader.skip(tag, end);
  }
  form.presence.check(candidate, "candidate");
  form.presence.check(signature, "sig");
  return { candidate: candidate ?? emptyCandidate(form), signature: signature ?? noSignature };
}

/** The bytes of an UnapprovedBlock. @spec 40 §1.6 (UnapprovedBlockProto) */
export function encodeUnapprovedBlock(unapproved: UnapprovedBlock): Uint8Array {
  const candidate = encodeCandidate(unapproved.candidate);
  const writer = new ProtoWriter(candidate.length + 64);
  unapproved.candidate.block.form.presence.write(writer, 0x0a, candidate);
  writer.int64Field(0x10, unapproved.timestamp);
  writer.int64Field(0x18, unapproved.durationMs);
  return writer.finish();
}

/** Reads an UnapprovedBlock. @spec 40 §1.6 (UnapprovedBlockProto) @throws {WireError} */
export function decodeUnapprovedBlock(bytes: Uint8Array, form: BlockCodec): UnapprovedBlock {
  const reader = new ProtoReader(bytes);
  const end = reader.bytes.length;
  let candidate: ApprovedBlockCandidate | undefined;
  let timestamp = 0n;
  let durationMs = 0n;
  let last = 0;
  while (reader.offset < end) {
    const tag = reader.tag(last, 0);
    last = tag;
    if (tag === 0x0a) candidate = readCandidate(reader, form, form.presence.end(reader, end));
    else if (tag === 0x10) timestamp = reader.int64Field();
    else if (tag === 0x18) durationMs = reader.int64Field();
    else reader.skip(tag, end);
  }
  form.presence.check(candidate, "candidate");
  return { candidate: candidate ?? emptyCandidate(form), timestamp, durationMs };
}

function readCandidate(reader: ProtoReader, form: BlockCodec, end: number): ApprovedBlockCandidate {
  let block: ApprovedBlockCandidate["block"] | undefined;
  let requiredSignatures = 0;
  let last = 0;
  while (reader.offset < end) {
    const tag = reader.tag(last, 0);
    last = tag;
    if (tag === 0x0a) block = decodeBlockFrom(reader, form.presence.end(reader, end), form);
    else if (tag === 0x10) requiredSignatures = reader.int32Field();
    else reader.skip(tag, end);
  }
  reader.close(end);
  form.presence.check(block, "block");
  return { block: block ?? emptyCandidate(form).block, requiredSignatures };
}

/** The candidate of a message that has none. */
function emptyCandidate(form: BlockCodec): ApprovedBlockCandidate {
  return { block: decodeBlockFrom(new ProtoReader(emptyBytes), 0, form), requiredSignatures: 0 };
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
