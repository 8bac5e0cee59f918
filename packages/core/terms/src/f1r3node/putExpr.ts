import type { GBigRational, GFixedPoint } from "../model/numbers.js";
import type { Expr } from "../model/Par.js";
import { binaryField } from "../wire/fields.js";
import type { FieldSink } from "./FieldSink.js";
import {
  putCollection,
  putEVar,
  putMap,
  putMatches,
  putMethod,
  putOperand,
  putOperands,
  putTuple,
  putZipper,
} from "./putParts.js";

/** The number of a member of Expr among its declarations, by that of its field. @spec 61 §2 */
function exprMember(field: number): number {
  return members[field]!;
}

/** Fields of Expr in the order of their declaration. */
export const exprFields: readonly number[] = [
  1, 2, 3, 4, 25, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 32, 33, 27, 28, 29, 30, 31,
  34, 35, 36, 37,
];
const members: readonly number[] = exprFields.reduce<number[]>((byField, field, member) => {
  byField[field] = member;
  return byField;
}, []);

/** @spec 61 §2 */
export function putExpr(sink: FieldSink, expr: Expr): void {
  switch (expr.kind) {
    case "EVar":
      sink.member(exprMember(19));
      sink.message(19, expr.v, putEVar);
      return;
    case "GInt":
      sink.member(exprMember(2));
      sink.sint64(2, expr.value);
      return;
    case "GString":
      sink.member(exprMember(3));
      sink.text(3, expr.value);
      return;
    case "GUri":
      sink.member(exprMember(4));
      sink.text(4, expr.value);
      return;
    case "GBool":
      sink.member(exprMember(1));
      sink.bool(1, expr.value);
      return;
    case "EList":
    case "ESet":
    case "EPathMap": {
      const field = expr.kind === "EList" ? 20 : expr.kind === "ESet" ? 22 : 32;
      sink.member(exprMember(field));
      sink.sized(field, expr, putCollection);
      return;
    }
    case "ETuple":
      sink.member(exprMember(21));
      sink.sized(21, expr, putTuple);
      return;
    case "EMap":
      sink.member(exprMember(23));
      sink.sized(23, expr, putMap);
      return;
    case "EMethod":
      sink.member(exprMember(24));
      sink.sized(24, expr, putMethod);
      return;
    case "EBinary": {
      const field = binaryField[expr.operator];
      sink.member(exprMember(field));
      sink.sized(field, expr, putOperands);
      return;
    }
    case "EUnary": {
      const field = expr.operator === "ENot" ? 5 : 6;
      sink.member(exprMember(field));
      sink.sized(field, expr, putOperand);
      return;
    }
    case "EMatches":
      sink.member(exprMember(27));
      sink.sized(27, expr, putMatches);
      return;
    default:
      putRareExpr(sink, expr);
  }
}

function putRareExpr(sink: FieldSink, expr: Expr): void {
  switch (expr.kind) {
    case "GByteArray":
      sink.member(exprMember(25));
      sink.byteString(25, expr.value);
      return;
    case "EZipper":
      sink.member(exprMember(33));
      sink.sized(33, expr, putZipper);
      return;
    case "GDouble":
      sink.member(exprMember(34));
      sink.fixed64(34, expr.bits);
      return;
    case "GBigInt":
      sink.member(exprMember(35));
      sink.byteString(35, expr.value);
      return;
    case "GBigRational":
      sink.member(exprMember(36));
      sink.message(36, expr, putBigRational);
      return;
    case "GFixedPoint":
      sink.member(exprMember(37));
      sink.message(37, expr, putFixedPoint);
      return;
    default:
      sink.noMember();
  }
}

function putBigRational(sink: FieldSink, value: GBigRational): void {
  sink.content(1, value.numerator);
  sink.content(2, value.denominator);
}

function putFixedPoint(sink: FieldSink, value: GFixedPoint): void {
  sink.content(1, value.unscaled);
  sink.scale(2, value.scale);
}
