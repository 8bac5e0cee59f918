import { blake2b256, compareBytes } from "@vedette/crypto";
import { ConsumeEvent, ProduceEvent } from "@vedette/protocol";
import {
  BincodeReader,
  BincodeWriter,
  DecodeError,
  type ListParWithRandom,
  readStoredBindPattern,
  readStoredContinuation,
  readStoredListParWithRandom,
  readStoredPar,
} from "@vedette/terms";
import { corrupted, type LeafKind } from "../leaf/LeafError.js";
import type { WaitingFields } from "../leaf/WaitingContinuation.js";

const kinds: readonly LeafKind[] = ["joins", "data", "continuations"];
const hashBytes = 32;
const kindBytes = 4;
const countBytes = 8;

/** A datum as f1r3node networks keep it. @spec 61 §2.2 */
export interface BincodeDatum {
  /** A `ListParWithRandom` in bincode. */
  readonly content: Uint8Array;
  readonly persist: boolean;
  readonly source: ProduceEvent;
}

/** A waiting continuation as f1r3node networks keep it. @spec 61 §2.2 */
export interface BincodeContinuation {
  /** Each a `BindPattern` in bincode, in the order of the binds. */
  readonly patterns: readonly Uint8Array[];
  /** A `TaggedContinuation` in bincode. */
  readonly continuation: Uint8Array;
  readonly persist: boolean;
  /** Ascending. */
  readonly peeks: readonly number[];
  readonly source: ConsumeEvent;
}

/** The value of a leaf, its hash, and what it is. */
export interface BincodeLeaf {
  readonly kind: LeafKind;
  /** In ascending order of their bytes. */
  readonly items: readonly Uint8Array[];
}

/** A leaf's hash, which does not cover its kind, and its value. */
export interface EncodedBincodeLeaf {
  readonly hash: Uint8Array;
  readonly value: Uint8Array;
}

/** The leaf of items in any order. @spec 61 §2.2 */
export function encodeBincodeLeaf(kind: LeafKind, items: readonly Uint8Array[]): EncodedBincodeLeaf {
  const sorted = items.length < 2 ? items : items.slice().sort(compareBytes);
  let listBytes = countBytes;
  for (const item of sorted) listBytes += countBytes + item.length;
  const writer = new BincodeWriter(kindBytes + countBytes + listBytes);
  writer.int32(kinds.indexOf(kind));
  writer.count(listBytes);
  writer.count(sorted.length);
  for (const item of sorted) writer.counted(item);
  const value = writer.finish();
  return { hash: bincodeLeafHash(value), value };
}

/** The hash of a leaf, which does not cover its kind. @spec 61 §2.2 */
export function bincodeLeafHash(value: Uint8Array): Uint8Array {
  return blake2b256(value.subarray(kindBytes));
}

/** Returns the kind of a leaf. @spec 61 §2.2 @throws {LeafError} `corrupted` */
export function bincodeLeafKind(value: Uint8Array): LeafKind {
  return whole(value.subarray(0, 4), readKind);
}

/** Takes the value of a leaf apart. @spec 61 §2.2 @throws {LeafError} `corrupted` */
export function decodeBincodeLeaf(value: Uint8Array): BincodeLeaf {
  return whole(value, (reader) => {
    const kind = readKind(reader);
    const items = whole(reader.counted(), (list) => readMany(list, () => list.counted()));
    return { kind, items };
  });
}

const itemReaders = {
  joins: decodeBincodeJoin,
  data: decodeBincodeDatum,
  continuations: decodeBincodeContinuation,
} as const;

/** Reads all items of a leaf by their stated kinds. @spec 61 §2.2 @throws {LeafError} `corrupted` */
export function checkBincodeLeaf(value: Uint8Array): void {
  const { kind, items } = decodeBincodeLeaf(value);
  for (const item of items) itemReaders[kind](item);
}

function readKind(reader: BincodeReader): LeafKind {
  const kind = kinds[reader.int32()];
  if (kind === undefined) throw corrupted("A leaf is of no known kind.");
  return kind;
}

/** @spec 61 §2.2 */
export function encodeBincodeDatum({ content, persist, source }: BincodeDatum): Uint8Array {
  let outputBytes = 0;
  for (const output of source.outputValue) outputBytes += countBytes + output.length;
  const flags = 4;
  const writer = new BincodeWriter(content.length + flags + 2 * (countBytes + hashBytes) + countBytes + outputBytes);
  writer.raw(content);
  writer.bool(persist);
  writer.counted(source.channelsHash);
  writer.counted(source.hash);
  writer.bool(source.persistent);
  writer.bool(source.isDeterministic);
  writer.count(source.outputValue.length);
  for (const output of source.outputValue) writer.counted(output);
  writer.bool(source.failed);
  return writer.finish();
}

/** @spec 61 §2.2 @throws {LeafError} `corrupted` */
export function decodeBincodeDatum(item: Uint8Array): BincodeDatum {
  const { content, persist, source } = readBincodeDatum(item);
  return { content: content.cachedEncoding!, persist, source };
}

/** As {@link decodeBincodeDatum}, with the data as terms with known bytes. @throws {LeafError} `corrupted` */
export function readBincodeDatum(
  item: Uint8Array,
): Pick<BincodeDatum, "persist" | "source"> & { readonly content: ListParWithRandom } {
  return whole(item, (reader) => {
    const content = readData(reader);
    const persist = reader.bool();
    const channelHash = readHash(reader);
    const hash = readHash(reader);
    const persistent = reader.bool();
    const isDeterministic = reader.bool();
    const outputs = readMany(reader, () => reader.counted());
    const source = new ProduceEvent(channelHash, hash, persistent, isDeterministic, outputs, reader.bool());
    return { content, persist, source };
  });
}

/** @spec 61 §2.2 */
export function encodeBincodeContinuation(waiting: BincodeContinuation): Uint8Array {
  const { channelsHashes, hash, persistent } = waiting.source;
  const flags = 2;
  const hashes = channelsHashes.length + 1;
  let patternBytes = countBytes;
  for (const pattern of waiting.patterns) patternBytes += pattern.length;
  const peekBytes = countBytes + 4 * waiting.peeks.length;
  const sourceBytes = countBytes + hashes * (countBytes + hashBytes);
  const writer = new BincodeWriter(patternBytes + waiting.continuation.length + flags + peekBytes + sourceBytes);
  writer.count(waiting.patterns.length);
  for (const pattern of waiting.patterns) writer.raw(pattern);
  writer.raw(waiting.continuation);
  writer.bool(waiting.persist);
  writer.count(waiting.peeks.length);
  for (const peek of waiting.peeks) writer.int32(peek);
  writer.count(channelsHashes.length);
  for (const channelHash of channelsHashes) writer.counted(channelHash);
  writer.counted(hash);
  writer.bool(persistent);
  return writer.finish();
}

/** @spec 61 §2.2 @throws {LeafError} `corrupted` */
export function decodeBincodeContinuation(item: Uint8Array): BincodeContinuation {
  return whole(item, (reader) => {
    const patterns = readMany(reader, () => readTerm(reader, readStoredBindPattern));
    const continuation = readTerm(reader, readStoredContinuation);
    return { patterns, continuation, ...readFrame(reader) };
  });
}

/** As {@link decodeBincodeContinuation}, as terms with known bytes. @throws {LeafError} `corrupted` */
export function readBincodeContinuation(item: Uint8Array): WaitingFields {
  return whole(item, (reader) => ({ ...readWaitingTerms(reader), ...readFrame(reader) }));
}

function readFrame(reader: BincodeReader): Pick<WaitingFields, "persist" | "peeks" | "source"> {
  const persist = reader.bool();
  const peeks = readMany(reader, () => reader.int32());
  const channelHashes = readMany(reader, () => readHash(reader));
  const source = new ConsumeEvent(channelHashes, readHash(reader), reader.bool());
  return { persist, peeks, source };
}

/** The data that an item begins with. @throws {LeafError} `corrupted` */
export function readBincodeData(item: Uint8Array): ListParWithRandom {
  return beginning(item, readData);
}

/** The patterns and the continuation that an item begins with. @throws {LeafError} `corrupted` */
export function readBincodeWaitingTerms(item: Uint8Array): Pick<WaitingFields, "patterns" | "continuation"> {
  return beginning(item, readWaitingTerms);
}

function readData(reader: BincodeReader): ListParWithRandom {
  const start = reader.position;
  const data = readStoredListParWithRandom(reader);
  data.cachedEncoding = reader.bytes.subarray(start, reader.position);
  return data;
}

function readWaitingTerms(reader: BincodeReader): Pick<WaitingFields, "patterns" | "continuation"> {
  const patterns = readMany(reader, () => {
    const start = reader.position;
    const pattern = readStoredBindPattern(reader);
    pattern.cachedEncoding = reader.bytes.subarray(start, reader.position);
    return pattern;
  });
  const start = reader.position;
  const continuation = readStoredContinuation(reader);
  // The one without anything is shared.
  if (continuation.kind !== "EmptyContinuation")
    continuation.cachedEncoding = reader.bytes.subarray(start, reader.position);
  return { patterns, continuation };
}

/** The join of channels, each in bincode, in the order of the binds. @spec 61 §2.2 */
export function encodeBincodeJoin(channels: readonly Uint8Array[]): Uint8Array {
  const writer = new BincodeWriter();
  writer.count(channels.length);
  for (const channel of channels) writer.raw(channel);
  return writer.finish();
}

/** The channels of a join, each in bincode. @spec 61 §2.2 @throws {LeafError} `corrupted` */
export function decodeBincodeJoin(item: Uint8Array): readonly Uint8Array[] {
  return whole(item, (reader) => readMany(reader, () => readTerm(reader, readStoredPar)));
}

function beginning<Part>(
  bytes: Uint8Array,
  read: (reader: BincodeReader) => Part,
  reader: BincodeReader = new BincodeReader(bytes),
): Part {
  try {
    return read(reader);
  } catch (cause) {
    if (cause instanceof DecodeError) throw corrupted("An item of a leaf cannot be read.", cause);
    throw cause;
  }
}

function whole<Part>(bytes: Uint8Array, read: (reader: BincodeReader) => Part): Part {
  const reader = new BincodeReader(bytes);
  const part = beginning(bytes, read, reader);
  if (!reader.isAtEnd) throw corrupted(`${bytes.length - reader.position} bytes follow an item of a leaf.`);
  return part;
}

function readMany<Part>(reader: BincodeReader, readOne: () => Part): Part[] {
  const parts: Part[] = [];
  for (let left = reader.count(); left > 0; left -= 1) parts.push(readOne());
  return parts;
}

/** The bytes of a message, after a look whether it is one. */
function readTerm(reader: BincodeReader, read: (reader: BincodeReader) => unknown): Uint8Array {
  const start = reader.position;
  read(reader);
  return reader.bytes.subarray(start, reader.position);
}

function readHash(reader: BincodeReader): Uint8Array {
  const hash = reader.counted();
  if (hash.length !== hashBytes) throw corrupted(`A hash has ${hash.length} bytes.`);
  return hash;
}
