import { emptyBytes } from "@vedette/crypto";
import {
  type Connective,
  ConnectiveAnd,
  ConnectiveNot,
  ConnectiveOr,
  ConnectiveType,
  emptyConnective,
  none,
  type Par,
  VarRef,
} from "../model/Par.js";
import {
  emptyUnforgeable,
  GDeployerId,
  GDeployId,
  GPrivate,
  sysAuthToken,
  type Unforgeable,
} from "../model/Unforgeable.js";
import { boundVar, emptyVar, freeVar, type Var, wildcard } from "../model/Var.js";
import { added, readNested, readPar } from "./decodeParts.js";
import { connectiveTypeOf } from "./fields.js";
import { mark, Repeats, readMarked } from "./Repeats.js";
import type { TermReader } from "./TermReader.js";

/** Reads a Var; of several members of its oneof the last counts. @spec 20 §10 */
export function readVar(reader: TermReader): Var {
  let v: Var = emptyVar;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 0x08) v = boundVar(reader.sint32());
    else if (tag === 0x10) v = freeVar(reader.sint32());
    else if (tag === 0x1a) {
      reader.position = reader.contentEnd();
      v = wildcard;
    } else reader.skip(tag);
  }
  return v;
}

/** An optional Var that was marked. */
export function readRemainder(
  reader: TermReader,
  place: number,
  field: number,
  repeats: Repeats | undefined,
): Var | undefined {
  return place < 0 ? undefined : readMarked(reader, place, field, repeats, readVar);
}

/** Reads a GUnforgeable. @spec 20 §10 */
export function readUnforgeable(reader: TermReader): Unforgeable {
  let field = 0;
  let place = -1;
  let repeats: Repeats | undefined;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    const isMember = tag === 0x0a || tag === 0x12 || tag === 0x1a || tag === 0x22;
    if (!isMember) reader.skip(tag);
    else if (field === tag >>> 3) repeats = Repeats.note(repeats, field, reader);
    else {
      field = tag >>> 3;
      place = mark(reader);
      repeats = undefined;
    }
  }
  if (field === 0) return emptyUnforgeable;
  const content = readMarked(reader, place, field, repeats, readBytesMessage);
  if (field === 1) return new GPrivate(content);
  if (field === 2) return new GDeployId(content);
  return field === 3 ? new GDeployerId(content) : sysAuthToken;
}

function readBytesMessage(reader: TermReader): Uint8Array {
  let content: Uint8Array = emptyBytes;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 0x0a) content = reader.content();
    else reader.skip(tag);
  }
  return content;
}

/** Reads a Connective. @spec 20 §10 */
export function readConnective(reader: TermReader): Connective {
  let simple: Connective = emptyConnective;
  let field = 0;
  let place = -1;
  let repeats: Repeats | undefined;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    const typeName = (tag & 7) === 0 ? connectiveTypeOf[tag >>> 3] : undefined;
    if (typeName !== undefined) {
      simple = new ConnectiveType(typeName, reader.bool());
      field = 0;
    } else if (tag !== 0x0a && tag !== 0x12 && tag !== 0x1a && tag !== 0x22) reader.skip(tag);
    else if (field === tag >>> 3) repeats = Repeats.note(repeats, field, reader);
    else {
      field = tag >>> 3;
      place = mark(reader);
      repeats = undefined;
    }
  }
  if (field === 1) return new ConnectiveAnd(readMarked(reader, place, 1, repeats, readConnectiveBody));
  if (field === 2) return new ConnectiveOr(readMarked(reader, place, 2, repeats, readConnectiveBody));
  if (field === 3) return new ConnectiveNot(readMarked(reader, place, 3, repeats, readPar));
  return field === 4 ? readMarked(reader, place, 4, repeats, readVarRef) : simple;
}

function readConnectiveBody(reader: TermReader): readonly Par[] {
  let ps: readonly Par[] = none;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 0x0a) ps = added(ps, readNested(reader, readPar));
    else reader.skip(tag);
  }
  return ps;
}

function readVarRef(reader: TermReader): VarRef {
  let index = 0;
  let depth = 0;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 0x08) index = reader.sint32();
    else if (tag === 0x10) depth = reader.sint32();
    else reader.skip(tag);
  }
  return new VarRef(index, depth);
}
