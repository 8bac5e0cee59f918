import { blake2b256Of } from "@vedette/crypto";
import type { Dialect } from "../dialect/Dialect.js";
import { ProtoWriter } from "../wire/ProtoWriter.js";
import type { Block } from "./Block.js";
import { encodeBody, encodeHeader } from "./blockEncoding.js";

/**
 * The hash that a block must have: of its header, body, sender, algorithm, sequence number, shard and extra bytes.
 *
 * Quirk 40 §1.3: justifications are outside of the hash; they are taken from the message as they come.
 *
 * @spec 40 §1.3, §14.2
 * @cost one pass over the block's bytes, once; a block received in canonical form is not encoded again
 */
export function hashBlock(block: Block, dialect: Dialect): Uint8Array {
  if (block.cachedHash?.dialect !== dialect) {
    const hash = blake2b256Of([encodeHeader(block), encodeBody(block), dialect.blockHashTail(block)]);
    block.cachedHash = { dialect, hash };
  }
  return block.cachedHash.hash;
}

/** Sender to extra bytes, each in a protobuf wrapper message as rnode does. @spec 40 §1.3 */
export function wrappedHashTail(block: Block): Uint8Array {
  const writer = new ProtoWriter();
  writer.raw(block.sender);
  writer.textField(0x0a, block.signatureAlgorithm);
  writer.int32Field(0x08, block.sequenceNumber);
  writer.textField(0x0a, block.shardId);
  writer.raw(block.extraBytes);
  return writer.finish();
}

/** Sender to extra bytes, unwrapped, as f1r3node does. @spec 40 §14.2 */
export function plainHashTail(block: Block): Uint8Array {
  const utf8 = new TextEncoder();
  const writer = new ProtoWriter();
  writer.raw(block.sender);
  writer.raw(utf8.encode(block.signatureAlgorithm));
  const number = new Uint8Array(4);
  new DataView(number.buffer).setInt32(0, block.sequenceNumber, true);
  writer.raw(number);
  writer.raw(utf8.encode(block.shardId));
  writer.raw(block.extraBytes);
  return writer.finish();
}
