import { GBigInt, GBigRational, GDouble, GFixedPoint } from "../model/numbers.js";
import {
  EBinary,
  EList,
  EMap,
  EMatches,
  EMethod,
  EPathMap,
  ESet,
  ETuple,
  EUnary,
  EVar,
  type Expr,
  EZipper,
  emptyExpr,
  GBool,
  GByteArray,
  GInt,
  GString,
  GUri,
  type KeyValuePair,
  type Par,
} from "../model/Par.js";
import { absentVar, type Var } from "../model/Var.js";
import { binaryOperatorOf } from "../wire/fields.js";
import { decodeVar } from "./decodeVar.js";
import type { FieldSource } from "./FieldSource.js";
import { exprFields } from "./putExpr.js";

/** @spec 61 §2 */
export function takeExpr(source: FieldSource): Expr {
  const field = source.member(exprFields);
  switch (field) {
    case 0:
      return emptyExpr;
    case 1:
      return new GBool(source.bool(1));
    case 2:
      return new GInt(source.sint64(2));
    case 3:
      return new GString(source.text(3));
    case 4:
      return new GUri(source.text(4));
    case 5:
    case 6:
      return new EUnary(field === 5 ? "ENot" : "ENeg", source.message(field, takeOperand));
    case 19:
      return new EVar(source.message(19, takeEVar));
    case 20:
      return source.message(20, takeList);
    case 21:
      return source.message(21, takeTuple);
    case 22:
      return source.message(22, takeSet);
    case 23:
      return source.message(23, takeMap);
    case 24:
      return source.message(24, takeMethod);
    default:
      return takeFurther(source, field);
  }
}

function takeFurther(source: FieldSource, field: number): Expr {
  switch (field) {
    case 25:
      return new GByteArray(source.byteString(25));
    case 32:
      return source.message(32, takePathMap);
    case 33:
      return source.message(33, takeZipper);
    case 34:
      return new GDouble(source.fixed64(34));
    case 35:
      return new GBigInt(source.byteString(35));
    case 36:
      return source.message(36, takeBigRational);
    case 37:
      return source.message(37, takeFixedPoint);
    default: {
      const { key, value } = source.message(field, takePair);
      const operator = binaryOperatorOf[field];
      return operator === undefined ? new EMatches(key, value) : new EBinary(operator, key, value);
    }
  }
}

function takeOperand(source: FieldSource): Par {
  return source.term(1);
}

/** Two terms, numbered 1 and 2: a map's entry, the operands of an operator. */
function takePair(source: FieldSource): KeyValuePair {
  return { key: source.term(1), value: source.term(2) };
}

function takeEVar(source: FieldSource): Var {
  return source.optional(1, decodeVar) ?? absentVar;
}

function takeList(source: FieldSource): EList {
  return new EList(source.terms(1), source.indices(3), source.flag(4), source.optional(5, decodeVar));
}

function takeSet(source: FieldSource): ESet {
  return new ESet(source.terms(1), source.indices(3), source.flag(4), source.optional(5, decodeVar));
}

function takePathMap(source: FieldSource): EPathMap {
  return new EPathMap(source.terms(1), source.indices(3), source.flag(4), source.optional(5, decodeVar));
}

function takeTuple(source: FieldSource): ETuple {
  return new ETuple(source.terms(1), source.indices(3), source.flag(4));
}

function takeMap(source: FieldSource): EMap {
  return new EMap(source.messages(1, takePair), source.indices(3), source.flag(4), source.optional(5, decodeVar));
}

function takeMethod(source: FieldSource): EMethod {
  return new EMethod(source.name(1), source.term(2), source.terms(3), source.indices(5), source.flag(6));
}

function takeZipper(source: FieldSource): EZipper {
  return new EZipper(
    source.optional(1, takePathMap),
    source.contents(2),
    source.flag(3),
    source.indices(4),
    source.flag(5),
  );
}

function takeBigRational(source: FieldSource): GBigRational {
  return new GBigRational(source.content(1), source.content(2));
}

function takeFixedPoint(source: FieldSource): GFixedPoint {
  return new GFixedPoint(source.content(1), source.scale(2));
}
