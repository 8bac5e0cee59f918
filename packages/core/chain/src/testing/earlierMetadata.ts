import { ProtoWriter } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import { encodeBonds } from "../dag/BondSet.js";

/** Encodes a block's metadata as versions before the format `vedette-3` stored it. */
export function encodeEarlierMetadata(metadata: BlockMetadata): Uint8Array {
  const writer = new ProtoWriter();
  for (const parent of metadata.parents) writer.bytesElement(0x0a, parent);
  writer.bytesField(0x12, metadata.sender);
  for (const { validator, latestBlockHash } of metadata.justifications) {
    writer.bytesElement(0x1a, validator);
    writer.bytesElement(0x22, latestBlockHash);
  }
  writer.bytesElement(0x2a, encodeBonds(metadata.bonds.bonds));
  writer.int64Field(0x30, metadata.number);
  writer.int32Field(0x38, metadata.sequenceNumber);
  writer.int64Field(0x40, metadata.timestamp);
  writer.bytesField(0x4a, metadata.preStateHash);
  writer.bytesField(0x52, metadata.postStateHash);
  writer.boolField(0x58, metadata.invalid);
  writer.boolField(0x60, metadata.finalized);
  writer.boolField(0x68, metadata.directlyFinalized);
  writer.bytesField(0x72, metadata.statement);
  return writer.finish();
}
