import type { EMap, ESet, KeyValuePair } from "../model/Collection.js";
import type { EBinary, EList, EMatches, EMethod, ETuple, EUnary, Expr } from "../model/Expr.js";
import type { Var } from "../model/Var.js";
import { binaryField } from "./fields.js";
import { embeddedSize, flagsSize, listSize, remainderSize, sizeOfVar } from "./size.js";
import { utf8Size } from "./utf8.js";
import { farFramedSize, framedSize, sint64Size } from "./varint.js";

/** Serialized size of an Expr message. @spec 20 §10, 22 §5 */
export function sizeOfExpr(expr: Expr): number {
  switch (expr.kind) {
    case "EVar":
      return farFramedSize(sizeOfEVarBody(expr.v));
    case "GInt":
      return 1 + sint64Size(expr.value);
    case "GString":
    case "GUri":
      return framedSize(utf8Size(expr.value));
    case "GBool":
      return 2;
    case "GByteArray":
      return farFramedSize(expr.value.length);
    case "EList":
    case "ESet":
      return farFramedSize(sizeOfListBody(expr));
    case "ETuple":
      return farFramedSize(sizeOfTupleBody(expr));
    case "EMap":
      return farFramedSize(sizeOfMapBody(expr));
    case "EMethod":
      return farFramedSize(sizeOfMethodBody(expr));
    case "EBinary": {
      const body = sizeOfOperandsBody(expr);
      return binaryField[expr.operator] < 16 ? framedSize(body) : farFramedSize(body);
    }
    case "EUnary":
      return framedSize(sizeOfUnaryBody(expr));
    case "EMatches":
      return farFramedSize(sizeOfMatchesBody(expr));
    case "EmptyExpr":
      return 0;
  }
}

/** Size of an EVar message. */
export function sizeOfEVarBody(v: Var): number {
  return v.kind === "EmptyVar" ? 0 : framedSize(sizeOfVar(v));
}

/** Size of an EList or ESet message. */
export function sizeOfListBody(list: EList | ESet): number {
  if (list.cachedSize < 0)
    list.cachedSize =
      listSize(list.ps) + flagsSize(list.locallyFree, list.connectiveUsed) + remainderSize(list.remainder);
  return list.cachedSize;
}

/** Size of an ETuple message. */
export function sizeOfTupleBody(tuple: ETuple): number {
  if (tuple.cachedSize < 0) tuple.cachedSize = listSize(tuple.ps) + flagsSize(tuple.locallyFree, tuple.connectiveUsed);
  return tuple.cachedSize;
}

/** Size of an EMap message. */
export function sizeOfMapBody(map: EMap): number {
  if (map.cachedSize >= 0) return map.cachedSize;
  let size = flagsSize(map.locallyFree, map.connectiveUsed) + remainderSize(map.remainder);
  for (const pair of map.kvs) size += framedSize(sizeOfPair(pair));
  map.cachedSize = size;
  return size;
}

/** Size of a KeyValuePair message. */
export function sizeOfPair(pair: KeyValuePair): number {
  return embeddedSize(pair.key) + embeddedSize(pair.value);
}

/** Size of an EMethod message. */
export function sizeOfMethodBody(method: EMethod): number {
  if (method.cachedSize >= 0) return method.cachedSize;
  let size = embeddedSize(method.target) + listSize(method.args) + flagsSize(method.locallyFree, method.connectiveUsed);
  if (method.methodName.length > 0) size += framedSize(utf8Size(method.methodName));
  method.cachedSize = size;
  return size;
}

/** Size of the message of a binary operator. */
export function sizeOfOperandsBody(binary: EBinary): number {
  if (binary.cachedSize < 0) binary.cachedSize = embeddedSize(binary.p1) + embeddedSize(binary.p2);
  return binary.cachedSize;
}

/** Size of the message of a unary operator. */
export function sizeOfUnaryBody(unary: EUnary): number {
  if (unary.cachedSize < 0) unary.cachedSize = embeddedSize(unary.p);
  return unary.cachedSize;
}

/** Size of an EMatches message. */
export function sizeOfMatchesBody(matches: EMatches): number {
  if (matches.cachedSize < 0) matches.cachedSize = embeddedSize(matches.target) + embeddedSize(matches.pattern);
  return matches.cachedSize;
}
