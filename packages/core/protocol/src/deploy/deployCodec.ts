import { emptyBytes, findDeploySignatureAlgorithm } from "@vedette/crypto";
import type { BlockCodec } from "../block/BlockCodec.js";
import { ProtoReader } from "../wire/ProtoReader.js";
import { ProtoWriter } from "../wire/ProtoWriter.js";
import { WireError } from "../wire/WireError.js";
import type { Deploy, UnsignedDeploy } from "./Deploy.js";

/** The protobuf bytes of a deploy (DeployDataProto). @param form left out: rnode's @spec 40 §1.1, 61 §1.2 */
export function encodeDeploy(deploy: Deploy, form: BlockCodec): Uint8Array {
  const writer = new ProtoWriter(deploy.term.length + 400);
  writeDeploy(writer, deploy, form);
  return writer.finish();
}

/**
 * Reads a DeployDataProto; the signature is not checked.
 *
 * @param form left out: rnode's
 * @spec 40 §1.1, 61 §1.2
 * @throws {WireError} `unknownAlgorithm`, or what is wrong with the bytes
 */
export function decodeDeploy(bytes: Uint8Array, form: BlockCodec): Deploy {
  return draftToDeploy(readDeploy(new ProtoReader(bytes), bytes.length, form));
}

/** The bytes that a deploy's signature is made over: without key, signature, algorithm. @spec 10 §1.3 */
export function signedBytesOfDeploy(deploy: UnsignedDeploy): Uint8Array {
  const writer = new ProtoWriter(deploy.term.length + 100);
  writer.textField(0x12, deploy.term);
  writer.int64Field(0x18, deploy.timestamp);
  writeTerms(writer, deploy);
  writer.int64Field(0x68, deploy.expirationTimestamp ?? 0n);
  return writer.finish();
}

/** Writes a deploy's fields. */
export function writeDeploy(writer: ProtoWriter, deploy: Deploy, form: BlockCodec): void {
  writer.bytesField(0x0a, deploy.deployer);
  writer.textField(0x12, deploy.term);
  writer.int64Field(0x18, deploy.timestamp);
  writer.bytesField(0x22, deploy.signature);
  writer.textField(0x2a, deploy.algorithm);
  writeTerms(writer, deploy);
  form.deploy.write(writer, deploy);
}

function writeTerms(writer: ProtoWriter, deploy: UnsignedDeploy): void {
  writer.int64Field(0x38, deploy.phloPrice);
  writer.int64Field(0x40, deploy.phloLimit);
  writer.int64Field(0x50, deploy.validAfterBlockNumber);
  writer.textField(0x5a, deploy.shardId);
}

/** A deploy while it is read: the algorithm's name may still be anything. */
export interface DeployDraft {
  deployer: Uint8Array;
  term: string;
  timestamp: bigint;
  signature: Uint8Array;
  algorithm: string;
  phloPrice: bigint;
  phloLimit: bigint;
  validAfterBlockNumber: bigint;
  shardId: string;
  expirationTimestamp?: bigint;
}

/** The deploy of a message that has none of its fields. */
export function emptyDeployDraft(): DeployDraft {
  return {
    deployer: emptyBytes,
    term: "",
    timestamp: 0n,
    signature: emptyBytes,
    algorithm: "",
    phloPrice: 0n,
    phloLimit: 0n,
    validAfterBlockNumber: 0n,
    shardId: "",
  };
}

/** Reads a deploy's fields up to `end`, over those that came before in the same message. */
export function readDeploy(
  reader: ProtoReader,
  end: number,
  form: BlockCodec,
  draft: DeployDraft = emptyDeployDraft(),
): DeployDraft {
  let last = 0;
  while (reader.offset < end) {
    const tag = reader.tag(last, 0);
    last = tag;
    if (!readDeployField(reader, tag, end, draft)) form.deploy.read(reader, tag, end, draft);
  }
  reader.close(end);
  if (findDeploySignatureAlgorithm(draft.algorithm) !== draft.algorithm) reader.canonical = false;
  return draft;
}

/** @returns whether it is a field that deploys of all dialects have */
function readDeployField(reader: ProtoReader, tag: number, end: number, draft: DeployDraft): boolean {
  switch (tag) {
    case 0x0a:
      draft.deployer = reader.bytesField(end);
      return true;
    case 0x12:
      draft.term = reader.textField(end);
      return true;
    case 0x18:
      draft.timestamp = reader.int64Field();
      return true;
    case 0x22:
      draft.signature = reader.bytesField(end);
      return true;
    case 0x2a:
      draft.algorithm = reader.textField(end);
      return true;
    case 0x38:
      draft.phloPrice = reader.int64Field();
      return true;
    case 0x40:
      draft.phloLimit = reader.int64Field();
      return true;
    case 0x50:
      draft.validAfterBlockNumber = reader.int64Field();
      return true;
    case 0x5a:
      draft.shardId = reader.textField(end);
      return true;
    default:
      // Quirk 40 §1.1: `language` (12) is dropped like an unknown field.
      return false;
  }
}

/** The finished deploy. @throws {WireError} `unknownAlgorithm` */
export function draftToDeploy(draft: DeployDraft): Deploy {
  const algorithm = findDeploySignatureAlgorithm(draft.algorithm);
  if (algorithm === undefined) throw new WireError({ code: "unknownAlgorithm", algorithm: draft.algorithm });
  return { ...draft, algorithm };
}
