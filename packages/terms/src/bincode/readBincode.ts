import { DecodeError } from "../wire/DecodeError.js";
import type { BincodeReader } from "./BincodeReader.js";
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
 * The protobuf bytes of the message that a reader stands at, which moves behind it. They are without indices, as
 * bincode does not have them.
 *
 * @spec 61 §2
 * @throws {DecodeError} for bytes that are no such message, or one that is nested too deeply
 */
export function readBincode(reader: BincodeReader, name: ShapeName): Uint8Array {
  try {
    return joined(readMessage(reader, shapeOf(name)));
  } catch (error) {
    if (error instanceof RangeError) throw new DecodeError({ code: "tooDeep" }, { cause: error });
    throw error;
  }
}

/** Bytes in pieces, so that none is copied once for each message around it. */
interface Pieces {
  readonly size: number;
  readonly parts: readonly (Uint8Array | Pieces)[];
}

const nothing: Pieces = { size: 0, parts: [] };

function readMessage(reader: BincodeReader, shape: MessageShape): Pieces {
  const written: { readonly number: number; readonly pieces: Pieces }[] = [];
  for (const field of shape.fields) written.push({ number: field.number, pieces: readField(reader, field) });
  if (shape.members !== undefined && reader.bool()) {
    const start = reader.position;
    const member = shape.members[reader.int32()];
    if (member === undefined) throw new DecodeError({ code: "badTag", offset: start });
    written.push({ number: member.number, pieces: tagged(member, readValue(reader, member)) });
  }
  written.sort((left, right) => left.number - right.number);
  return piecesOf(written.map(({ pieces }) => pieces).filter(({ size }) => size > 0));
}

function readField(reader: BincodeReader, field: FieldShape): Pieces {
  if (field.kind === "indices") {
    if (reader.count() !== 0) throw new DecodeError({ code: "badTag", offset: reader.position });
    return nothing;
  }
  if (field.kind === "entries") return readList(reader, () => tagged(field, readEntry(reader)));
  if (field.isRepeated) return readList(reader, () => tagged(field, readValue(reader, field)));
  if (field.kind === "message") return reader.bool() ? tagged(field, readValue(reader, field)) : nothing;
  const value = readValue(reader, field);
  return isDefault(value) ? nothing : tagged(field, value);
}

function readList(reader: BincodeReader, readOne: () => Pieces): Pieces {
  const elements: Pieces[] = [];
  for (let left = reader.count(); left > 0; left -= 1) elements.push(readOne());
  return piecesOf(elements);
}

function readEntry(reader: BincodeReader): Pieces {
  const key = tagged(entryKey, piecesOf([reader.counted()]));
  return piecesOf([key, tagged(entryValue, readValue(reader, entryValue))]);
}

/** A varint, the eight bytes of a number, or the content of what has a length. */
function readValue(reader: BincodeReader, field: FieldShape): Pieces {
  switch (field.kind) {
    case "bool":
      return varint(reader.bool() ? 1n : 0n);
    case "int32":
      return varint(BigInt.asUintN(64, BigInt(reader.int32())));
    case "uint32":
      return varint(BigInt(reader.int32() >>> 0));
    case "sint32":
      return varint(zigZag(BigInt(reader.int32())));
    case "int64":
      return varint(BigInt.asUintN(64, reader.int64()));
    case "sint64":
      return varint(zigZag(reader.int64()));
    case "fixed64":
      return piecesOf([reader.raw(8)]);
    case "bytes":
      return piecesOf([reader.counted()]);
    default:
      return readMessage(reader, shapeOf(field.message));
  }
}

/** Of a singular scalar: a zero, or no bytes. */
function isDefault({ size, parts }: Pieces): boolean {
  const [first] = parts;
  return size === 0 || (size === 1 && first instanceof Uint8Array && first === zero);
}

function tagged(field: FieldShape, value: Pieces): Pieces {
  const wireType = wireTypeOf(field);
  const tag = varint(BigInt((field.number << 3) | wireType));
  return piecesOf(wireType === 2 ? [tag, varint(BigInt(value.size)), value] : [tag, value]);
}

const zero = Uint8Array.of(0);

function varint(value: bigint): Pieces {
  if (value === 0n) return { size: 1, parts: [zero] };
  const bytes: number[] = [];
  for (let rest = value; rest > 0n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0));
  return piecesOf([Uint8Array.from(bytes)]);
}

function zigZag(value: bigint): bigint {
  return BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
}

function piecesOf(parts: readonly (Uint8Array | Pieces)[]): Pieces {
  let size = 0;
  for (const part of parts) size += part instanceof Uint8Array ? part.length : part.size;
  return { size, parts };
}

function joined(pieces: Pieces): Uint8Array {
  const bytes = new Uint8Array(pieces.size);
  let position = 0;
  const add = ({ parts }: Pieces): void => {
    for (const part of parts)
      if (part instanceof Uint8Array) {
        bytes.set(part, position);
        position += part.length;
      } else add(part);
  };
  add(pieces);
  return bytes;
}
