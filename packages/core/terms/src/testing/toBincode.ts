import { compareBytes } from "@vedette/crypto";
import { BincodeWriter } from "../bincode/BincodeWriter.js";
import { DecodeError } from "../wire/DecodeError.js";
import { type DecodeLimits, defaultDecodeLimits } from "../wire/DecodeLimits.js";
import { decodeMessage } from "../wire/decode.js";
import type { TermReader } from "../wire/TermReader.js";
import {
  entryKey,
  entryValue,
  type FieldShape,
  type MessageShape,
  type ShapeName,
  shapeOf,
  wireTypeOf,
} from "./shapes.js";

/**
 * The bytes that f1r3node networks hash and store, from the protobuf bytes of the same message, by the table
 * of shapes: for tests, where they judge what is written from terms.
 *
 * @spec 61 §2
 * @param bytes as an encoder writes them: known fields alone, no singular one twice
 * @throws {DecodeError} for other bytes, or a term beyond the limits or the stack
 */
export function toBincode(name: ShapeName, bytes: Uint8Array, limits: DecodeLimits = defaultDecodeLimits): Uint8Array {
  const writer = new BincodeWriter(bytes.length * 8);
  decodeMessage(bytes, limits, (reader) => writeMessage(reader, writer, shapeOf(name)));
  return writer.finish();
}

/** The begin and end of each value of a field. */
type Places = Map<FieldShape, number[]>;

/** Writes the message that the reader's window holds. */
function writeMessage(reader: TermReader, writer: BincodeWriter, shape: MessageShape): void {
  const { end } = reader;
  const places = findPlaces(reader, shape);
  for (const field of shape.fields) writeField(reader, writer, field, places.get(field));
  if (shape.members !== undefined) writeMember(reader, writer, shape.members, places);
  reader.position = end;
  reader.end = end;
}

function findPlaces(reader: TermReader, shape: MessageShape): Places {
  const places: Places = new Map();
  for (let start = reader.position, tag = reader.tag(); tag !== 0; start = reader.position, tag = reader.tag()) {
    const field = fieldOfTag(shape, tag);
    const known = field === undefined ? undefined : places.get(field);
    if (field === undefined || (known !== undefined && !mayRepeat(field)))
      throw new DecodeError({ code: "badTag", offset: start });
    const begin = reader.position;
    reader.skip(tag);
    if (known === undefined) places.set(field, [begin, reader.position]);
    else known.push(begin, reader.position);
  }
  return places;
}

function fieldOfTag(shape: MessageShape, tag: number): FieldShape | undefined {
  const isOfTag = (field: FieldShape): boolean => ((field.number << 3) | wireTypeOf(field)) === tag;
  return shape.fields.find(isOfTag) ?? shape.members?.find(isOfTag);
}

function mayRepeat(field: FieldShape): boolean {
  return field.isRepeated || field.kind === "entries";
}

function writeField(
  reader: TermReader,
  writer: BincodeWriter,
  field: FieldShape,
  places: readonly number[] | undefined,
): void {
  if (field.kind === "indices") writer.count(0);
  else if (field.kind === "entries") writeEntries(reader, writer, places ?? []);
  else if (field.isRepeated) {
    const ends = places ?? [];
    writer.count(ends.length / 2);
    for (let i = 0; i < ends.length; i += 2) writeValue(reader, writer, field, [ends[i]!, ends[i + 1]!]);
  } else if (field.kind === "message") {
    writer.bool(places !== undefined);
    if (places !== undefined) writeValue(reader, writer, field, places);
  } else if (places !== undefined) writeValue(reader, writer, field, places);
  else writeDefault(writer, field);
}

function writeMember(reader: TermReader, writer: BincodeWriter, members: readonly FieldShape[], places: Places): void {
  const set = members.filter((member) => places.has(member));
  writer.bool(set.length > 0);
  const [member, another] = set;
  if (member === undefined) return;
  const place = places.get(member)!;
  // An encoder would have written only one of two members.
  if (another !== undefined) throw new DecodeError({ code: "badTag", offset: places.get(another)![0]! });
  writer.int32(members.indexOf(member));
  writeValue(reader, writer, member, place);
}

function writeValue(
  reader: TermReader,
  writer: BincodeWriter,
  field: FieldShape,
  [begin, end]: readonly number[],
): void {
  reader.position = begin!;
  reader.end = end!;
  switch (field.kind) {
    case "bool":
      writer.bool(reader.bool());
      return;
    case "int32":
    case "uint32":
      writer.int32(reader.int32());
      return;
    case "sint32":
      writer.int32(reader.sint32());
      return;
    case "int64":
      writer.int64(reader.int64());
      return;
    case "sint64":
      writer.int64(reader.sint64());
      return;
    case "fixed64":
      writer.raw(reader.bytes.subarray(begin, end));
      return;
    case "bytes":
      reader.contentEnd();
      writer.counted(reader.bytes.subarray(reader.position, end));
      return;
    default:
      reader.enter();
      writeMessage(reader, writer, shapeOf(field.message));
  }
}

function writeDefault(writer: BincodeWriter, { kind }: FieldShape): void {
  if (kind === "bool") writer.bool(false);
  else if (kind === "int32" || kind === "sint32" || kind === "uint32") writer.int32(0);
  else writer.count(0);
}

const entryShape: MessageShape = { fields: [entryKey, entryValue] };

/** A map's entries, ascending by key. */
function writeEntries(reader: TermReader, writer: BincodeWriter, places: readonly number[]): void {
  const entries: { readonly key: Uint8Array; readonly value: readonly number[] | undefined }[] = [];
  for (let i = 0; i < places.length; i += 2) {
    reader.position = places[i]!;
    reader.end = places[i + 1]!;
    reader.enter();
    const found = findPlaces(reader, entryShape);
    entries.push({ key: keyAt(reader, found.get(entryKey)), value: found.get(entryValue) });
  }
  entries.sort((left, right) => compareBytes(left.key, right.key));
  writer.count(entries.length);
  for (const { key, value } of entries) {
    writer.counted(key);
    // A term that was left out is the empty one.
    if (value !== undefined) writeValue(reader, writer, entryValue, value);
    else {
      reader.position = reader.end;
      writeMessage(reader, writer, shapeOf("Par"));
    }
  }
}

function keyAt(reader: TermReader, place: readonly number[] | undefined): Uint8Array {
  if (place === undefined) return new Uint8Array(0);
  reader.position = place[0]!;
  reader.end = place[1]!;
  const end = reader.contentEnd();
  return reader.bytes.subarray(reader.position, end);
}
