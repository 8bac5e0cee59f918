import type {
  EBinary,
  EList,
  EMap,
  EMatches,
  EMethod,
  EPathMap,
  ESet,
  ETuple,
  EUnary,
  EZipper,
  KeyValuePair,
} from "../model/Par.js";
import { absentVar, type Var } from "../model/Var.js";
import type { FieldSink } from "./FieldSink.js";

/** @spec 61 §2 */
export function putVar(sink: FieldSink, v: Var): void {
  switch (v.kind) {
    case "BoundVar":
      sink.member(0);
      sink.sint32(1, v.index);
      return;
    case "FreeVar":
      sink.member(1);
      sink.sint32(2, v.index);
      return;
    case "Wildcard":
      sink.member(2);
      sink.nothing(3);
      return;
    case "EmptyVar":
      sink.noMember();
      return;
  }
}

/** The one field of an EVar. */
export function putEVar(sink: FieldSink, v: Var): void {
  sink.optional(1, v === absentVar ? undefined : v, putVar);
}

/** EList, ESet and EPathMap have the same fields. */
export function putCollection(sink: FieldSink, list: EList | ESet | EPathMap): void {
  sink.terms(1, list.ps);
  sink.indices(3, list.locallyFree);
  sink.flag(4, list.connectiveUsed);
  sink.optional(5, list.remainder, putVar);
}

export function putTuple(sink: FieldSink, tuple: ETuple): void {
  sink.terms(1, tuple.ps);
  sink.indices(3, tuple.locallyFree);
  sink.flag(4, tuple.connectiveUsed);
}

export function putMethod(sink: FieldSink, method: EMethod): void {
  sink.name(1, method.methodName);
  sink.term(2, method.target);
  sink.terms(3, method.args);
  sink.indices(5, method.locallyFree);
  sink.flag(6, method.connectiveUsed);
}

export function putZipper(sink: FieldSink, zipper: EZipper): void {
  sink.optional(1, zipper.pathMap, putCollection);
  sink.contents(2, zipper.currentPath);
  sink.flag(3, zipper.isWriteZipper);
  sink.indices(4, zipper.locallyFree);
  sink.flag(5, zipper.connectiveUsed);
}

export function putOperand(sink: FieldSink, unary: EUnary): void {
  sink.term(1, unary.p);
}

export function putOperands(sink: FieldSink, binary: EBinary): void {
  sink.term(1, binary.p1);
  sink.term(2, binary.p2);
}

export function putMatches(sink: FieldSink, matches: EMatches): void {
  sink.term(1, matches.target);
  sink.term(2, matches.pattern);
}

export function putMap(sink: FieldSink, map: EMap): void {
  sink.messages(1, map.kvs, putPair);
  sink.indices(3, map.locallyFree);
  sink.flag(4, map.connectiveUsed);
  sink.optional(5, map.remainder, putVar);
}

function putPair(sink: FieldSink, pair: KeyValuePair): void {
  sink.term(1, pair.key);
  sink.term(2, pair.value);
}
