import { emptyBytes } from "@vedette/crypto";
import { ProtoReader } from "../wire/ProtoReader.js";
import { ProtoWriter } from "../wire/ProtoWriter.js";

const noIndex = 0x100;

/** An element of a path through the state tree. @spec 30 §6.1, §6.2 */
export interface StoreNodeKey {
  readonly hash: Uint8Array;
  /** A byte, or `undefined` as in every path of a radix tree. */
  readonly index: number | undefined;
}

/** Requests a page of the state. @spec 30 §6.1 */
export interface StoreItemsRequest {
  readonly startPath: readonly StoreNodeKey[];
  readonly skip: number;
  readonly take: number;
}

/** A node or a leaf with its hash. @spec 30 §6.1 */
export interface StoreItem {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** A page of the state. @spec 30 §6.1 */
export interface StoreItems {
  readonly startPath: readonly StoreNodeKey[];
  readonly lastPath: readonly StoreNodeKey[];
  readonly historyItems: readonly StoreItem[];
  readonly dataItems: readonly StoreItem[];
}

/** How a byte of a path is written; each way is read in every dialect. @spec 40 §1.6, 61 §1.2 */
export type WriteIndex = (writer: ProtoWriter, tag: number, index: number) => void;

/** Quirk 40 §1.6: a byte travels as a signed one, so that 0x80 and above take ten bytes. */
export const signedIndex: WriteIndex = (writer, tag, index) => writer.int32Field(tag, (index << 24) >> 24);

/** As it is. @spec 61 §1.2 */
export const unsignedIndex: WriteIndex = (writer, tag, index) => writer.int32Field(tag, index);

/** The bytes of a request for a page of a state. @spec 30 §6.1 (StoreItemsMessageRequestProto) */
export function encodeStoreItemsRequest(request: StoreItemsRequest, writeIndex = signedIndex): Uint8Array {
  const writer = new ProtoWriter();
  writePath(writer, 0x0a, request.startPath, writeIndex);
  writer.int32Field(0x10, request.skip);
  writer.int32Field(0x18, request.take);
  return writer.finish();
}

/** Reads a request for a page of a state. @spec 30 §6.1 (StoreItemsMessageRequestProto) @throws {WireError} */
export function decodeStoreItemsRequest(bytes: Uint8Array): StoreItemsRequest {
  const reader = new ProtoReader(bytes);
  const end = reader.bytes.length;
  const startPath: StoreNodeKey[] = [];
  let skip = 0;
  let take = 0;
  while (reader.offset < end) {
    const tag = reader.tag(0, 0);
    if (tag === 0x0a) startPath.push(readNodeKey(reader, reader.end(end)));
    else if (tag === 0x10) skip = reader.int32Field();
    else if (tag === 0x18) take = reader.int32Field();
    else reader.skip(tag, end);
  }
  return { startPath, skip, take };
}

/** The bytes of a page of a state. @spec 30 §6.1 (StoreItemsMessageProto) */
export function encodeStoreItems(items: StoreItems, writeIndex = signedIndex): Uint8Array {
  const writer = new ProtoWriter(1 << 16);
  writePath(writer, 0x0a, items.startPath, writeIndex);
  writePath(writer, 0x12, items.lastPath, writeIndex);
  writeItems(writer, 0x1a, items.historyItems);
  writeItems(writer, 0x22, items.dataItems);
  return writer.finish();
}

/** Reads a page of a state; nothing in it is checked yet. @spec 30 §6.1 (StoreItemsMessageProto) @throws {WireError} */
export function decodeStoreItems(bytes: Uint8Array): StoreItems {
  const reader = new ProtoReader(bytes);
  const end = reader.bytes.length;
  const startPath: StoreNodeKey[] = [];
  const lastPath: StoreNodeKey[] = [];
  const historyItems: StoreItem[] = [];
  const dataItems: StoreItem[] = [];
  while (reader.offset < end) {
    const tag = reader.tag(0, 0);
    if (tag === 0x0a) startPath.push(readNodeKey(reader, reader.end(end)));
    else if (tag === 0x12) lastPath.push(readNodeKey(reader, reader.end(end)));
    else if (tag === 0x1a) historyItems.push(readItem(reader, reader.end(end)));
    else if (tag === 0x22) dataItems.push(readItem(reader, reader.end(end)));
    else reader.skip(tag, end);
  }
  return { startPath, lastPath, historyItems, dataItems };
}

/** The protobuf bytes of one path element. @spec 40 §1.6 */
export function encodeStoreNodeKey(key: StoreNodeKey, writeIndex = signedIndex): Uint8Array {
  const writer = new ProtoWriter();
  writeNodeKey(writer, key, writeIndex);
  return writer.finish();
}

/** Reads one path element. @spec 40 §1.6 @throws {WireError} */
export function decodeStoreNodeKey(bytes: Uint8Array): StoreNodeKey {
  const reader = new ProtoReader(bytes);
  return readNodeKey(reader, reader.bytes.length);
}

function writePath(writer: ProtoWriter, tag: number, path: readonly StoreNodeKey[], writeIndex: WriteIndex): void {
  for (const key of path) {
    const start = writer.begin(tag);
    writeNodeKey(writer, key, writeIndex);
    writer.finishMember(start);
  }
}

function writeNodeKey(writer: ProtoWriter, { hash, index }: StoreNodeKey, writeIndex: WriteIndex): void {
  writer.bytesField(0x0a, hash);
  if (index === undefined) writer.int32Field(0x10, noIndex);
  else writeIndex(writer, 0x10, index);
}

function readNodeKey(reader: ProtoReader, end: number): StoreNodeKey {
  let hash: Uint8Array = emptyBytes;
  let index = 0;
  while (reader.offset < end) {
    const tag = reader.tag(0, 0);
    if (tag === 0x0a) hash = reader.bytesField(end);
    else if (tag === 0x10) index = reader.int32Field();
    else reader.skip(tag, end);
  }
  reader.close(end);
  return { hash, index: index === noIndex ? undefined : index & 0xff };
}

function writeItems(writer: ProtoWriter, tag: number, items: readonly StoreItem[]): void {
  for (const { key, value } of items) {
    const start = writer.begin(tag);
    writer.bytesField(0x0a, key);
    writer.bytesField(0x12, value);
    writer.finishMember(start);
  }
}

function readItem(reader: ProtoReader, end: number): StoreItem {
  let key: Uint8Array = emptyBytes;
  let value: Uint8Array = emptyBytes;
  while (reader.offset < end) {
    const tag = reader.tag(0, 0);
    if (tag === 0x0a) key = reader.bytesField(end);
    else if (tag === 0x12) value = reader.bytesField(end);
    else reader.skip(tag, end);
  }
  reader.close(end);
  return { key, value };
}
