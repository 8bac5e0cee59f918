import { emptyBytes } from "@vedette/crypto";
import { ProtoReader } from "../wire/ProtoReader.js";
import { ProtoWriter } from "../wire/ProtoWriter.js";

/** "What did you derive for these blocks?" Of f1r3node, as all here. @spec 61 §1.2 (FloorCacheRequestProto) */
export interface FloorCacheRequest {
  readonly hashes: readonly Uint8Array[];
}

/** The floor facts that were derived for one block. @spec 61 §1.2, §13.3 */
export interface FloorCacheEntry {
  readonly blockHash: Uint8Array;
  readonly floorHash: Uint8Array;
  readonly frontierHash: Uint8Array;
}

/** The answer; blocks of which not both are known are left out. @spec 61 §1.2 (FloorCacheResponseProto) */
export interface FloorCacheResponse {
  readonly entries: readonly FloorCacheEntry[];
}

/** "What did the deploys of this block do to number channels?" @spec 61 §1.2 (MergeableEntryRequestProto) */
export interface MergeableEntryRequest {
  readonly blockHash: Uint8Array;
}

/** The answer; an empty entry where it is not known. @spec 61 §1.2 (MergeableEntryResponseProto) */
export interface MergeableEntryResponse {
  readonly blockHash: Uint8Array;
  readonly serializedEntry: Uint8Array;
}

/** @spec 61 §1.2 */
export function encodeFloorCacheRequest({ hashes }: FloorCacheRequest): Uint8Array {
  const writer = new ProtoWriter(hashes.length * 34);
  for (const hash of hashes) writer.bytesElement(0x0a, hash);
  return writer.finish();
}

/** @spec 61 §1.2 @throws {WireError} */
export function decodeFloorCacheRequest(bytes: Uint8Array): FloorCacheRequest {
  const reader = new ProtoReader(bytes);
  const end = reader.bytes.length;
  const hashes: Uint8Array[] = [];
  while (reader.offset < end) {
    const tag = reader.tag(0, 0);
    if (tag === 0x0a) hashes.push(reader.bytesElement(end));
    else reader.skip(tag, end);
  }
  return { hashes };
}

/** @spec 61 §1.2 */
export function encodeFloorCacheResponse({ entries }: FloorCacheResponse): Uint8Array {
  const writer = new ProtoWriter(entries.length * 104);
  for (const { blockHash, floorHash, frontierHash } of entries) {
    const start = writer.begin(0x0a);
    writer.bytesField(0x0a, blockHash);
    writer.bytesField(0x12, floorHash);
    writer.bytesField(0x1a, frontierHash);
    writer.finishMember(start);
  }
  return writer.finish();
}

/** @spec 61 §1.2 @throws {WireError} */
export function decodeFloorCacheResponse(bytes: Uint8Array): FloorCacheResponse {
  const reader = new ProtoReader(bytes);
  const end = reader.bytes.length;
  const entries: FloorCacheEntry[] = [];
  while (reader.offset < end) {
    const tag = reader.tag(0, 0);
    if (tag === 0x0a) entries.push(readFloorCacheEntry(reader, reader.end(end)));
    else reader.skip(tag, end);
  }
  return { entries };
}

function readFloorCacheEntry(reader: ProtoReader, end: number): FloorCacheEntry {
  let blockHash: Uint8Array = emptyBytes;
  let floorHash: Uint8Array = emptyBytes;
  let frontierHash: Uint8Array = emptyBytes;
  while (reader.offset < end) {
    const tag = reader.tag(0, 0);
    if (tag === 0x0a) blockHash = reader.bytesField(end);
    else if (tag === 0x12) floorHash = reader.bytesField(end);
    else if (tag === 0x1a) frontierHash = reader.bytesField(end);
    else reader.skip(tag, end);
  }
  reader.close(end);
  return { blockHash, floorHash, frontierHash };
}

/** @spec 61 §1.2 */
export function encodeMergeableEntryRequest({ blockHash }: MergeableEntryRequest): Uint8Array {
  const writer = new ProtoWriter();
  writer.bytesField(0x0a, blockHash);
  return writer.finish();
}

/** @spec 61 §1.2 @throws {WireError} */
export function decodeMergeableEntryRequest(bytes: Uint8Array): MergeableEntryRequest {
  const { blockHash } = decodeMergeableEntryResponse(bytes);
  return { blockHash };
}

/** @spec 61 §1.2 */
export function encodeMergeableEntryResponse({ blockHash, serializedEntry }: MergeableEntryResponse): Uint8Array {
  const writer = new ProtoWriter(serializedEntry.length + 64);
  writer.bytesField(0x0a, blockHash);
  writer.bytesField(0x12, serializedEntry);
  return writer.finish();
}

/** @spec 61 §1.2 @throws {WireError} */
export function decodeMergeableEntryResponse(bytes: Uint8Array): MergeableEntryResponse {
  const reader = new ProtoReader(bytes);
  const end = reader.bytes.length;
  let blockHash: Uint8Array = emptyBytes;
  let serializedEntry: Uint8Array = emptyBytes;
  while (reader.offset < end) {
    const tag = reader.tag(0, 0);
    if (tag === 0x0a) blockHash = reader.bytesField(end);
    else if (tag === 0x12) serializedEntry = reader.bytesField(end);
    else reader.skip(tag, end);
  }
  return { blockHash, serializedEntry };
}
