import { emptyBitSet } from "../model/BitSet.js";
import {
  EBinary,
  EList,
  type EMap,
  EMatches,
  EMethod,
  type ESet,
  ETuple,
  EUnary,
  EVar,
  type Expr,
  emptyExpr,
  GBool,
  GByteArray,
  GInt,
  GString,
  GUri,
  type KeyValuePair,
  none,
  type Par,
} from "../model/Par.js";
import { emptyVar, type Var } from "../model/Var.js";
import { rnodeAtoms } from "../order/compareAtoms.js";
import { makeMap } from "../order/makeMap.js";
import { makeSet } from "../order/makeSet.js";
import { readRemainder, readVar } from "./decodeLeaf.js";
import { added, readBits, readEmbedded, readNested, readPar } from "./decodeParts.js";
import { binaryOperatorOf } from "./fields.js";
import { mark, Repeats, readMarked } from "./Repeats.js";
import type { TermReader } from "./TermReader.js";

/** Reads an Expr; of several members of its oneof the last counts. @spec 20 §10 */
export function readExpr(reader: TermReader): Expr {
  let ground: Expr = emptyExpr;
  let field = 0;
  let place = -1;
  let repeats: Repeats | undefined;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (isGroundTag(tag)) {
      ground = readGround(reader, tag);
      field = 0;
    } else if (!isMessageTag(tag)) reader.skip(tag);
    else if (field === tag >>> 3) repeats = Repeats.note(repeats, field, reader);
    else {
      field = tag >>> 3;
      place = mark(reader);
      repeats = undefined;
    }
  }
  return field === 0 ? ground : readMessageExpr(reader, place, field, repeats);
}

function isGroundTag(tag: number): boolean {
  return tag === 0x08 || tag === 0x10 || tag === 0x1a || tag === 0x22 || tag === 0xca;
}

function readGround(reader: TermReader, tag: number): Expr {
  switch (tag) {
    case 0x08:
      return new GBool(reader.bool());
    case 0x10:
      return new GInt(reader.sint64());
    case 0x1a:
      return new GString(reader.text());
    case 0x22:
      return new GUri(reader.text());
    default:
      return new GByteArray(reader.content());
  }
}

function isMessageTag(tag: number): boolean {
  const field = tag >>> 3;
  return (tag & 7) === 2 && field >= 5 && field <= 31 && field !== 25 && field !== 26;
}

function readMessageExpr(reader: TermReader, place: number, field: number, repeats: Repeats | undefined): Expr {
  switch (field) {
    case 5:
    case 6:
      return new EUnary(field === 5 ? "ENot" : "ENeg", readMarked(reader, place, field, repeats, readOperand));
    case 19:
      return new EVar(readMarked(reader, place, field, repeats, readEVarBody));
    case 20:
      return readMarked(reader, place, field, repeats, readEList);
    case 21:
      return readMarked(reader, place, field, repeats, readETuple);
    case 22:
      return readMarked(reader, place, field, repeats, readESet);
    case 23:
      return readMarked(reader, place, field, repeats, readEMap);
    case 24:
      return readMarked(reader, place, field, repeats, readEMethod);
    default: {
      const operands = readMarked(reader, place, field, repeats, readPair);
      const operator = binaryOperatorOf[field];
      if (operator === undefined) return new EMatches(operands.key, operands.value);
      return new EBinary(operator, operands.key, operands.value);
    }
  }
}

function readOperand(reader: TermReader): Par {
  let p = -1;
  let repeats: Repeats | undefined;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag !== 0x0a) reader.skip(tag);
    else if (p < 0) p = mark(reader);
    else repeats = Repeats.note(repeats, 1, reader);
  }
  return readEmbedded(reader, p, 1, repeats);
}

function readEVarBody(reader: TermReader): Var {
  let v = -1;
  let repeats: Repeats | undefined;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag !== 0x0a) reader.skip(tag);
    else if (v < 0) v = mark(reader);
    else repeats = Repeats.note(repeats, 1, reader);
  }
  return v < 0 ? emptyVar : readMarked(reader, v, 1, repeats, readVar);
}

/** Two embedded Pars, numbered 1 and 2: a map entry, the operands of an operator. */
function readPair(reader: TermReader): KeyValuePair {
  let first = -1;
  let second = -1;
  let repeats: Repeats | undefined;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 0x0a) {
      if (first < 0) first = mark(reader);
      else repeats = Repeats.note(repeats, 1, reader);
    } else if (tag === 0x12) {
      if (second < 0) second = mark(reader);
      else repeats = Repeats.note(repeats, 2, reader);
    } else reader.skip(tag);
  }
  return { key: readEmbedded(reader, first, 1, repeats), value: readEmbedded(reader, second, 2, repeats) };
}

function readEList(reader: TermReader): EList {
  let ps: readonly Par[] = none;
  let locallyFree = emptyBitSet;
  let connectiveUsed = false;
  let remainder = -1;
  let repeats: Repeats | undefined;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 0x0a) ps = added(ps, readNested(reader, readPar));
    else if (tag === 0x1a) locallyFree = readBits(reader);
    else if (tag === 0x20) connectiveUsed = reader.bool();
    else if (tag === 0x2a) {
      if (remainder < 0) remainder = mark(reader);
      else repeats = Repeats.note(repeats, 5, reader);
    } else reader.skip(tag);
  }
  return new EList(ps, locallyFree, connectiveUsed, readRemainder(reader, remainder, 5, repeats));
}

function readESet(reader: TermReader): ESet {
  const list = readEList(reader);
  return makeSet(list.ps, list.locallyFree, list.connectiveUsed, list.remainder, rnodeAtoms);
}

function readETuple(reader: TermReader): ETuple {
  let ps: readonly Par[] = none;
  let locallyFree = emptyBitSet;
  let connectiveUsed = false;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 0x0a) ps = added(ps, readNested(reader, readPar));
    else if (tag === 0x1a) locallyFree = readBits(reader);
    else if (tag === 0x20) connectiveUsed = reader.bool();
    else reader.skip(tag);
  }
  return new ETuple(ps, locallyFree, connectiveUsed);
}

function readEMap(reader: TermReader): EMap {
  let kvs: readonly KeyValuePair[] = none;
  let locallyFree = emptyBitSet;
  let connectiveUsed = false;
  let remainder = -1;
  let repeats: Repeats | undefined;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 0x0a) kvs = added(kvs, readNested(reader, readPair));
    else if (tag === 0x1a) locallyFree = readBits(reader);
    else if (tag === 0x20) connectiveUsed = reader.bool();
    else if (tag === 0x2a) {
      if (remainder < 0) remainder = mark(reader);
      else repeats = Repeats.note(repeats, 5, reader);
    } else reader.skip(tag);
  }
  return makeMap(kvs, locallyFree, connectiveUsed, readRemainder(reader, remainder, 5, repeats), rnodeAtoms);
}

function readEMethod(reader: TermReader): EMethod {
  let methodName = "";
  let target = -1;
  let args: readonly Par[] = none;
  let locallyFree = emptyBitSet;
  let connectiveUsed = false;
  let repeats: Repeats | undefined;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 0x0a) methodName = reader.text();
    else if (tag === 0x12) {
      if (target < 0) target = mark(reader);
      else repeats = Repeats.note(repeats, 2, reader);
    } else if (tag === 0x1a) args = added(args, readNested(reader, readPar));
    else if (tag === 0x2a) locallyFree = readBits(reader);
    else if (tag === 0x30) connectiveUsed = reader.bool();
    else reader.skip(tag);
  }
  return new EMethod(methodName, readEmbedded(reader, target, 2, repeats), args, locallyFree, connectiveUsed);
}
