import { emptyBytes } from "@vedette/crypto";
import { type Justification, ProtoReader, ProtoWriter, WireError } from "@vedette/protocol";
import type { WritableTables } from "@vedette/store";
import { ChainError } from "../ChainError.js";
import { type BlockFlags, BlockMetadata, type ChainMoment, type MetadataFields } from "./BlockMetadata.js";
import { type BondSet, encodeBonds } from "./BondSet.js";
import type { BondSets } from "./BondSets.js";
import { validatorKeyOf } from "./validatorKeys.js";

/** Fields of the record; those of earlier versions are read and no longer written. */
const tags = {
  ...{ parent: 0x0a, sender: 0x12, justifiedValidator: 0x1a, justifiedBlock: 0x22, bonds: 0x2a },
  ...{ number: 0x30, sequenceNumber: 0x38, timestamp: 0x40, preState: 0x4a, postState: 0x52 },
  ...{ invalid: 0x58, finalized: 0x60, directlyFinalized: 0x68, statement: 0x72 },
  /**
   * The block's creator and justifications; bonded validators are encoded by their index in the bonds. Behind them when
   * the block became final, for want of another tag of one byte.
   */
  validators: 0x7a,
} as const;

/** Fields of {@link tags.validators}, the set of bonds first. */
const validatorTags = {
  ...{ bondSet: 0x0a, senderPlace: 0x10, sender: 0x1a },
  ...{ validatorPlace: 0x20, validator: 0x2a, latestBlock: 0x32 },
  /** Heights from the block to the newest one when it became final, plus one: 0 where that is not known; milliseconds. */
  ...{ finalAfterHeights: 0x38, finalAfterMs: 0x40 },
} as const;

/** Writes what the DAG knows of a block, and the bonds that it has unless they are there. @spec 40 §6.1 */
export function writeMetadata(tables: WritableTables, metadata: BlockMetadata): void {
  const sets = tables("bondSets");
  const { hash, bonds } = metadata.bonds;
  if (!sets.has(hash)) sets.put(hash, encodeBonds(bonds));
  tables("blockMetadata").put(metadata.hash, encodeMetadata(metadata));
}

function encodeMetadata(metadata: BlockMetadata): Uint8Array {
  const writer = new ProtoWriter(512 + metadata.justifications.length * 40);
  for (const parent of metadata.parents) writer.bytesElement(tags.parent, parent);
  writer.int64Field(tags.number, metadata.number);
  writer.int32Field(tags.sequenceNumber, metadata.sequenceNumber);
  writer.int64Field(tags.timestamp, metadata.timestamp);
  writer.bytesField(tags.preState, metadata.preStateHash);
  writer.bytesField(tags.postState, metadata.postStateHash);
  writer.boolField(tags.invalid, metadata.invalid);
  writer.boolField(tags.finalized, metadata.finalized);
  writer.boolField(tags.directlyFinalized, metadata.directlyFinalized);
  writer.bytesField(tags.statement, metadata.statement);
  const start = writer.begin(tags.validators);
  writeValidators(writer, metadata);
  writer.finishMember(start);
  return writer.finish();
}

function writeValidators(writer: ProtoWriter, metadata: BlockMetadata): void {
  const { bonds, sender, senderKey, justifications, finalizedAt } = metadata;
  writer.bytesElement(validatorTags.bondSet, bonds.hash);
  const place = bonds.placeOf(senderKey);
  if (place === undefined) writer.bytesField(validatorTags.sender, sender);
  else writer.int32Field(validatorTags.senderPlace, place + 1);
  for (const { validator, latestBlockHash } of justifications) {
    const at = bonds.placeOf(validatorKeyOf(validator));
    if (at === undefined) writer.bytesElement(validatorTags.validator, validator);
    else writer.int32Field(validatorTags.validatorPlace, at + 1);
    writer.bytesElement(validatorTags.latestBlock, latestBlockHash);
  }
  if (finalizedAt === undefined) return;
  writer.int64Field(validatorTags.finalAfterHeights, finalizedAt.height - metadata.number + 1n);
  writer.int64Field(validatorTags.finalAfterMs, finalizedAt.timestamp - metadata.timestamp);
}

/** Whether a record is as earlier versions wrote it. @throws {WireError} */
export function isOfEarlierVersion(bytes: Uint8Array): boolean {
  const reader = new ProtoReader(bytes);
  while (reader.offset < bytes.length) {
    const tag = reader.tag(0, 0);
    if (tag === tags.validators) return false;
    reader.skip(tag, bytes.length);
  }
  return true;
}

/** Decodes a block's record in the store. @throws {ChainError} `metadataDamaged` */
export function decodeMetadata(hash: Uint8Array, bytes: Uint8Array, bondSets: BondSets): BlockMetadata {
  try {
    return readMetadata(hash, new ProtoReader(bytes), bondSets);
  } catch (cause) {
    if (cause instanceof WireError) throw new ChainError({ code: "metadataDamaged", hash }, { cause });
    throw cause;
  }
}

/** The fields of a record that were read so far. */
class MetadataDraft implements Omit<MetadataFields, "hash" | "bonds">, BlockFlags {
  readonly parents: Uint8Array[] = [];
  readonly justifications: Justification[] = [];
  sender: Uint8Array = emptyBytes;
  bonds: BondSet | undefined;
  number = 0n;
  sequenceNumber = 0;
  timestamp = 0n;
  preStateHash: Uint8Array = emptyBytes;
  postStateHash: Uint8Array = emptyBytes;
  statement: Uint8Array = emptyBytes;
  invalid = false;
  finalized = false;
  directlyFinalized = false;
  /** As stored. */
  finalAfterHeights = 0n;
  finalAfterMs = 0n;
  /** The validator of the next justification. */
  justified: Uint8Array = emptyBytes;

  justify(latestBlockHash: Uint8Array): void {
    this.justifications.push({ validator: this.justified, latestBlockHash: latestBlockHash.slice() });
  }

  /** @returns whether it is a field of the moment of finality */
  readMoment(tag: number, reader: ProtoReader): boolean {
    if (tag === validatorTags.finalAfterHeights) this.finalAfterHeights = reader.int64Field();
    else if (tag === validatorTags.finalAfterMs) this.finalAfterMs = reader.int64Field();
    else return false;
    return true;
  }

  get finalizedAt(): ChainMoment | undefined {
    if (this.finalAfterHeights === 0n) return undefined;
    return { height: this.number + this.finalAfterHeights - 1n, timestamp: this.timestamp + this.finalAfterMs };
  }
}

function readMetadata(hash: Uint8Array, reader: ProtoReader, bondSets: BondSets): BlockMetadata {
  const end = reader.bytes.length;
  const draft = new MetadataDraft();
  while (reader.offset < end) {
    const tag = reader.tag(0, 0);
    if (tag === tags.parent) draft.parents.push(reader.bytesElement(end).slice());
    else if (tag === tags.validators) readValidators(hash, reader, reader.end(end), { draft, bondSets });
    else if (!readField(tag, reader, draft) && !readEarlierField(tag, reader, draft, bondSets)) reader.skip(tag, end);
  }
  return new BlockMetadata({ ...draft, hash, bonds: draft.bonds ?? bondSets.decode(emptyBytes) }, draft);
}

/** @returns whether it is a field of its own */
function readField(tag: number, reader: ProtoReader, draft: MetadataDraft): boolean {
  const end = reader.bytes.length;
  if (tag === tags.number) draft.number = reader.int64Field();
  else if (tag === tags.sequenceNumber) draft.sequenceNumber = reader.int32Field();
  else if (tag === tags.timestamp) draft.timestamp = reader.int64Field();
  else if (tag === tags.preState) draft.preStateHash = reader.bytesField(end).slice();
  else if (tag === tags.postState) draft.postStateHash = reader.bytesField(end).slice();
  else if (tag === tags.statement) draft.statement = reader.bytesField(end).slice();
  else if (tag === tags.invalid) draft.invalid = reader.boolField();
  else if (tag === tags.finalized) draft.finalized = reader.boolField();
  else if (tag === tags.directlyFinalized) draft.directlyFinalized = reader.boolField();
  else return false;
  return true;
}

/** Reads the validators of a record that an earlier version wrote. */
function readEarlierField(tag: number, reader: ProtoReader, draft: MetadataDraft, bondSets: BondSets): boolean {
  const end = reader.bytes.length;
  if (tag === tags.sender) draft.sender = bondSets.validator(reader.bytesField(end));
  else if (tag === tags.justifiedValidator) draft.justified = bondSets.validator(reader.bytesElement(end));
  else if (tag === tags.justifiedBlock) draft.justify(reader.bytesElement(end));
  else if (tag === tags.bonds) draft.bonds = bondSets.decode(reader.bytesElement(end));
  else return false;
  return true;
}

/** @throws {ChainError} `metadataDamaged` where the bonds are not there */
function readValidators(
  hash: Uint8Array,
  reader: ProtoReader,
  end: number,
  { draft, bondSets }: { readonly draft: MetadataDraft; readonly bondSets: BondSets },
): void {
  function required<Value>(value: Value | undefined): Value {
    if (value === undefined) throw new ChainError({ code: "metadataDamaged", hash });
    return value;
  }
  const atPlace = (place: number) => required(draft.bonds?.bonds[place - 1]).validator;
  while (reader.offset < end) {
    const tag = reader.tag(0, 0);
    if (tag === validatorTags.bondSet) draft.bonds = required(bondSets.find(reader.bytesElement(end)));
    else if (tag === validatorTags.senderPlace) draft.sender = atPlace(reader.int32Field());
    else if (tag === validatorTags.sender) draft.sender = bondSets.validator(reader.bytesField(end));
    else if (tag === validatorTags.validatorPlace) draft.justified = atPlace(reader.int32Field());
    else if (tag === validatorTags.validator) draft.justified = bondSets.validator(reader.bytesElement(end));
    else if (tag === validatorTags.latestBlock) draft.justify(reader.bytesElement(end));
    else if (!draft.readMoment(tag, reader)) reader.skip(tag, end);
  }
}
