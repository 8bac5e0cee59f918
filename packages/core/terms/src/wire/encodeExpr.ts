import type { EBinary, EList, EMap, EMatches, EMethod, ESet, EUnary, Expr } from "../model/Par.js";
import type { Var } from "../model/Var.js";
import { writeEmbedded, writeFlags, writeList, writeRemainder, writeVar } from "./encodeParts.js";
import { binaryField } from "./fields.js";
import {
  sizeOfEVarBody,
  sizeOfListBody,
  sizeOfMapBody,
  sizeOfMatchesBody,
  sizeOfMethodBody,
  sizeOfOperandsBody,
  sizeOfPair,
  sizeOfTupleBody,
  sizeOfUnaryBody,
  sizeOfVar,
} from "./size.js";
import type { TermWriter } from "./TermWriter.js";
import { utf8Size } from "./utf8.js";

/** Writes an Expr message: the one member of its oneof, also where it has the default value. @spec 20 §10 */
export function writeExpr(writer: TermWriter, expr: Expr): void {
  switch (expr.kind) {
    case "EVar":
      writeEVar(writer, expr.v);
      return;
    case "GInt":
      writer.varint(0x10);
      writer.sint64(expr.value);
      return;
    case "GString":
      writeText(writer, 3, expr.value);
      return;
    case "GUri":
      writeText(writer, 4, expr.value);
      return;
    case "GBool":
      writer.varint(0x08);
      writer.varint(expr.value ? 1 : 0);
      return;
    case "GByteArray":
      writer.farHead(25, expr.value.length);
      writer.raw(expr.value);
      return;
    case "EList":
    case "ESet":
      writer.farHead(expr.kind === "EList" ? 20 : 22, sizeOfListBody(expr));
      writeListBody(writer, expr);
      return;
    case "ETuple":
      writer.farHead(21, sizeOfTupleBody(expr));
      writeList(writer, 1, expr.ps);
      writeFlags(writer, 3, expr.locallyFree, expr.connectiveUsed);
      return;
    case "EMap":
      writer.farHead(23, sizeOfMapBody(expr));
      writeMapBody(writer, expr);
      return;
    case "EMethod":
      writer.farHead(24, sizeOfMethodBody(expr));
      writeMethodBody(writer, expr);
      return;
    case "EBinary":
      writeBinary(writer, expr);
      return;
    case "EUnary":
      writeUnary(writer, expr);
      return;
    case "EMatches":
      writeMatches(writer, expr);
      return;
    case "EmptyExpr":
      return;
  }
}

function writeEVar(writer: TermWriter, v: Var): void {
  writer.farHead(19, sizeOfEVarBody(v));
  if (v.kind === "EmptyVar") return;
  writer.head(1, sizeOfVar(v));
  writeVar(writer, v);
}

function writeText(writer: TermWriter, field: number, text: string): void {
  writer.head(field, utf8Size(text));
  writer.utf8(text);
}

/** EList and ESet have the same fields. */
function writeListBody(writer: TermWriter, list: EList | ESet): void {
  writeList(writer, 1, list.ps);
  writeFlags(writer, 3, list.locallyFree, list.connectiveUsed);
  writeRemainder(writer, 5, list.remainder);
}

function writeMapBody(writer: TermWriter, map: EMap): void {
  for (const pair of map.kvs) {
    writer.head(1, sizeOfPair(pair));
    writeEmbedded(writer, 1, pair.key);
    writeEmbedded(writer, 2, pair.value);
  }
  writeFlags(writer, 3, map.locallyFree, map.connectiveUsed);
  writeRemainder(writer, 5, map.remainder);
}

function writeMethodBody(writer: TermWriter, method: EMethod): void {
  if (method.methodName.length > 0) writeText(writer, 1, method.methodName);
  writeEmbedded(writer, 2, method.target);
  writeList(writer, 3, method.args);
  writeFlags(writer, 5, method.locallyFree, method.connectiveUsed);
}

function writeBinary(writer: TermWriter, binary: EBinary): void {
  writer.farHead(binaryField[binary.operator], sizeOfOperandsBody(binary));
  writeEmbedded(writer, 1, binary.p1);
  writeEmbedded(writer, 2, binary.p2);
}

function writeUnary(writer: TermWriter, unary: EUnary): void {
  writer.head(unary.operator === "ENot" ? 5 : 6, sizeOfUnaryBody(unary));
  writeEmbedded(writer, 1, unary.p);
}

function writeMatches(writer: TermWriter, matches: EMatches): void {
  writer.farHead(27, sizeOfMatchesBody(matches));
  writeEmbedded(writer, 1, matches.target);
  writeEmbedded(writer, 2, matches.pattern);
}
