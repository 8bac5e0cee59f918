import { ProtoReader } from "../wire/ProtoReader.js";
import { ProtoWriter } from "../wire/ProtoWriter.js";
import { WireError } from "../wire/WireError.js";

/** The extension's name. @spec 40 §18 */
export const blockRanges = "blocks.1";

/**
 * Requests the blocks of a range of heights. If `to` is below `from` only the highest height is requested. @spec 40 §18
 */
export interface BlockRangeRequest {
  readonly from: bigint;
  readonly to: bigint;
  /** The maximum size of the blocks; a larger height is sent alone or left out. */
  readonly maximumBytes: number;
}

/** All blocks from the first requested height to below `next`, ascending. @spec 40 §18 */
export interface BlockRange {
  /** As they were received. */
  readonly blocks: readonly Uint8Array[];
  readonly next: bigint;
  /** The greatest height of the answering node. */
  readonly height: bigint;
}

/** More of them are refused. */
const maxBlocks = 4_096;
/** Bytes for a block's tag and length, and for the numbers. */
const maxOverhead = 24;

export function encodeBlockRangeQuestion({ from, to, maximumBytes }: BlockRangeRequest): Uint8Array {
  const writer = new ProtoWriter();
  writer.int64Field(0x08, from);
  writer.int64Field(0x10, to);
  writer.int32Field(0x18, maximumBytes);
  return writer.finish();
}

/** @throws {WireError} */
export function decodeBlockRangeQuestion(bytes: Uint8Array): BlockRangeRequest {
  const reader = new ProtoReader(bytes);
  let [from, to, maximumBytes] = [0n, 0n, 0];
  while (reader.offset < bytes.length) {
    const tag = reader.tag(0, 0);
    if (tag === 0x08) from = reader.int64Field();
    else if (tag === 0x10) to = reader.int64Field();
    else if (tag === 0x18) maximumBytes = reader.int32Field();
    else reader.skip(tag, bytes.length);
  }
  return { from, to, maximumBytes };
}

export function encodeBlockRange({ blocks, next, height }: BlockRange): Uint8Array {
  const writer = new ProtoWriter(blocks.reduce((sum, block) => sum + block.length + maxOverhead, maxOverhead));
  for (const block of blocks) writer.bytesElement(0x0a, block);
  writer.int64Field(0x10, next);
  writer.int64Field(0x18, height);
  return writer.finish();
}

/** @throws {WireError} */
export function decodeBlockRange(bytes: Uint8Array): BlockRange {
  const reader = new ProtoReader(bytes);
  const blocks: Uint8Array[] = [];
  let [next, height] = [0n, 0n];
  while (reader.offset < bytes.length) {
    const tag = reader.tag(0, 0);
    if (tag === 0x0a) {
      if (blocks.length >= maxBlocks)
        throw new WireError({ code: "tooManyItems", offset: reader.offset, limit: maxBlocks });
      blocks.push(reader.bytesField(bytes.length));
    } else if (tag === 0x10) next = reader.int64Field();
    else if (tag === 0x18) height = reader.int64Field();
    else reader.skip(tag, bytes.length);
  }
  return { blocks, next, height };
}
