import { emptyBytes } from "@vedette/crypto";
import { type Justification, ProtoReader, ProtoWriter, WireError } from "@vedette/protocol";
import type { WritableTables } from "@vedette/store";
import { ChainError } from "../ChainError.js";
import { BlockMetadata } from "./BlockMetadata.js";
import { type BondSet, encodeBonds } from "./BondSet.js";
import type { BondSets } from "./BondSets.js";
import { validatorKeyOf } from "./validatorKeys.js";

/** Fields of the record; those of earlier versions are read and no longer written. */
const tags = {
  ...{ parent: 0x0a, sender: 0x12, justifiedValidator: 0x1a, justifiedBlock: 0x22, bonds: 0x2a },
  ...{ number: 0x30, sequenceNumber: 0x38, timestamp: 0x40, preState: 0x4a, postState: 0x52 },
  ...{ invalid: 0x58, finalized: 0x60, directlyFinalized: 0x68, statement: 0x72 },
  /** The block's creator and justifications; bonded validators are encoded by their index in the bonds. */
  validators: 0x7a,
} as const;

/** Fields of {@link tags.validators}, the set of bonds first. */
const validatorTags = {
  ...{ bondSet: 0x0a, senderPlace: 0x10, sender: 0x1a },
  ...{ validatorPlace: 0x20, validator: 0x2a, latestBlock: 0x32 },
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

function writeValidators(writer: ProtoWriter, { bonds, sender, senderKey, justifications }: BlockMetadata): void {
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

/** The validators that a record names. */
interface People {
  sender: Uint8Array;
  readonly justifications: Justification[];
  bonds: BondSet | undefined;
}

function readMetadata(hash: Uint8Array, reader: ProtoReader, bondSets: BondSets): BlockMetadata {
  const end = reader.bytes.length;
  const parents: Uint8Array[] = [];
  const named: People = { sender: emptyBytes, justifications: [], bonds: undefined };
  let validator: Uint8Array = emptyBytes;
  const fields = {
    number: 0n,
    sequenceNumber: 0,
    timestamp: 0n,
    preStateHash: emptyBytes,
    postStateHash: emptyBytes,
    statement: emptyBytes,
  };
  const flags = { invalid: false, finalized: false, directlyFinalized: false };
  while (reader.offset < end) {
    const tag = reader.tag(0, 0);
    if (tag === tags.parent) parents.push(reader.bytesElement(end).slice());
    else if (tag === tags.validators) readValidators(hash, reader, reader.end(end), { named, bondSets });
    else if (tag === tags.sender) named.sender = bondSets.validator(reader.bytesField(end));
    else if (tag === tags.justifiedValidator) validator = bondSets.validator(reader.bytesElement(end));
    else if (tag === tags.justifiedBlock)
      named.justifications.push({ validator, latestBlockHash: reader.bytesElement(end).slice() });
    else if (tag === tags.bonds) named.bonds = bondSets.decode(reader.bytesElement(end));
    else if (tag === tags.number) fields.number = reader.int64Field();
    else if (tag === tags.sequenceNumber) fields.sequenceNumber = reader.int32Field();
    else if (tag === tags.timestamp) fields.timestamp = reader.int64Field();
    else if (tag === tags.preState) fields.preStateHash = reader.bytesField(end).slice();
    else if (tag === tags.postState) fields.postStateHash = reader.bytesField(end).slice();
    else if (tag === tags.statement) fields.statement = reader.bytesField(end).slice();
    else if (tag === tags.invalid) flags.invalid = reader.boolField();
    else if (tag === tags.finalized) flags.finalized = reader.boolField();
    else if (tag === tags.directlyFinalized) flags.directlyFinalized = reader.boolField();
    else reader.skip(tag, end);
  }
  const { bonds = bondSets.decode(emptyBytes), sender, justifications } = named;
  return new BlockMetadata({ ...fields, hash, sender, parents, justifications, bonds }, flags);
}

/** @throws {ChainError} `metadataDamaged` where the bonds are not there */
function readValidators(
  hash: Uint8Array,
  reader: ProtoReader,
  end: number,
  { named, bondSets }: { readonly named: People; readonly bondSets: BondSets },
): void {
  const damaged = () => new ChainError({ code: "metadataDamaged", hash });
  const atPlace = (place: number): Uint8Array => {
    const bond = named.bonds?.bonds[place - 1];
    if (bond === undefined) throw damaged();
    return bond.validator;
  };
  let validator: Uint8Array = emptyBytes;
  while (reader.offset < end) {
    const tag = reader.tag(0, 0);
    if (tag === validatorTags.bondSet) {
      named.bonds = bondSets.find(reader.bytesElement(end));
      if (named.bonds === undefined) throw damaged();
    } else if (tag === validatorTags.senderPlace) named.sender = atPlace(reader.int32Field());
    else if (tag === validatorTags.sender) named.sender = bondSets.validator(reader.bytesField(end));
    else if (tag === validatorTags.validatorPlace) validator = atPlace(reader.int32Field());
    else if (tag === validatorTags.validator) validator = bondSets.validator(reader.bytesElement(end));
    else if (tag === validatorTags.latestBlock)
      named.justifications.push({ validator, latestBlockHash: reader.bytesElement(end).slice() });
    else reader.skip(tag, end);
  }
}
