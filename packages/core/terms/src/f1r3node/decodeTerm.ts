import {
  Bundle,
  type Connective,
  ConnectiveAnd,
  ConnectiveNot,
  ConnectiveOr,
  ConnectiveType,
  emptyConnective,
  If,
  Match,
  MatchCase,
  New,
  Par,
  Receive,
  ReceiveBind,
  Send,
  VarRef,
} from "../model/Par.js";
import {
  BindPattern,
  EmptyContinuation,
  emptyContinuation,
  ListParWithRandom,
  ParContinuation,
  ParWithRandom,
  SystemContinuation,
  type TaggedContinuation,
} from "../model/Tagged.js";
import {
  emptyUnforgeable,
  GDeployerId,
  GDeployId,
  GPrivate,
  sysAuthToken,
  type Unforgeable,
} from "../model/Unforgeable.js";
import { connectiveTypeOf } from "../wire/fields.js";
import { decodeVar } from "./decodeVar.js";
import type { FieldSource } from "./FieldSource.js";
import { takeExpr } from "./takeExpr.js";

/** A term as it comes: nothing is sorted, nor brought into another form. @spec 61 §2 */
export function takePar(source: FieldSource): Par {
  const sends = source.messages(1, takeSend);
  const receives = source.messages(2, takeReceive);
  const news = source.messages(4, takeNew);
  const exprs = source.messages(5, takeExpr);
  const matches = source.messages(6, takeMatch);
  const unforgeables = source.messages(7, takeUnforgeable);
  const bundles = source.messages(11, takeBundle);
  const connectives = source.messages(8, takeConnective);
  const conditionals = source.messages(12, takeIf);
  const free = source.indices(9);
  const used = source.flag(10);
  // biome-ignore format: the arguments in one row, as in the class
  return new Par(sends, receives, news, exprs, matches, unforgeables, bundles, connectives, free, used, conditionals);
}

function takeSend(source: FieldSource): Send {
  return new Send(source.term(1), source.terms(2), source.flag(3), source.indices(5), source.flag(6));
}

function takeReceive(source: FieldSource): Receive {
  return new Receive(
    source.messages(1, takeReceiveBind),
    source.term(2),
    source.flag(3),
    source.flag(4),
    source.count(5),
    source.indices(6),
    source.flag(7),
    source.optionalTerm(8),
  );
}

function takeReceiveBind(source: FieldSource): ReceiveBind {
  return new ReceiveBind(source.terms(1), source.term(2), source.optional(3, decodeVar), source.count(4));
}

/** @spec 61 §2 */
export function takeBindPattern(source: FieldSource): BindPattern {
  return new BindPattern(source.terms(1), source.optional(2, decodeVar), source.count(3));
}

function takeNew(source: FieldSource): New {
  return new New(source.index(1), source.term(2), source.texts(3), source.entries(4), source.indices(5));
}

function takeMatch(source: FieldSource): Match {
  return new Match(source.term(1), source.messages(2, takeMatchCase), source.indices(4), source.flag(5));
}

function takeMatchCase(source: FieldSource): MatchCase {
  return new MatchCase(source.term(1), source.term(2), source.count(3), source.optionalTerm(4));
}

function takeIf(source: FieldSource): If {
  return new If(source.term(1), source.term(2), source.term(3), source.indices(4), source.flag(5));
}

function takeBundle(source: FieldSource): Bundle {
  return new Bundle(source.term(1), source.flag(2), source.flag(3));
}

const connectiveFields = [1, 2, 3, 4, 5, 6, 7, 8, 9];

function takeConnective(source: FieldSource): Connective {
  const field = source.member(connectiveFields);
  switch (field) {
    case 0:
      return emptyConnective;
    case 1:
      return new ConnectiveAnd(source.message(1, takeConnectiveBody));
    case 2:
      return new ConnectiveOr(source.message(2, takeConnectiveBody));
    case 3:
      return new ConnectiveNot(source.message(3, takePar));
    case 4:
      return source.message(4, takeVarRef);
    default:
      return new ConnectiveType(connectiveTypeOf[field]!, source.bool(field));
  }
}

function takeConnectiveBody(source: FieldSource): readonly Par[] {
  return source.terms(1);
}

function takeVarRef(source: FieldSource): VarRef {
  return new VarRef(source.index(1), source.index(2));
}

const unforgeableFields = [1, 2, 3, 4];

function takeUnforgeable(source: FieldSource): Unforgeable {
  switch (source.member(unforgeableFields)) {
    case 1:
      return new GPrivate(source.message(1, takeContent));
    case 2:
      return new GDeployId(source.message(2, takeContent));
    case 3:
      return new GDeployerId(source.message(3, takeContent));
    case 4:
      source.nothing(4);
      return sysAuthToken;
    default:
      return emptyUnforgeable;
  }
}

function takeContent(source: FieldSource): Uint8Array {
  return source.content(1);
}

/** @spec 61 §2 */
export function takeListParWithRandom(source: FieldSource): ListParWithRandom {
  return new ListParWithRandom(source.terms(1), source.content(2));
}

function takeParWithRandom(source: FieldSource): ParWithRandom {
  return new ParWithRandom(source.term(1), source.content(2));
}

const continuationFields = [1, 2];

/** @spec 61 §2 */
export function takeContinuation(source: FieldSource): TaggedContinuation {
  const guard = source.optionalTerm(3);
  switch (source.member(continuationFields)) {
    case 1:
      return new ParContinuation(source.message(1, takeParWithRandom), guard);
    case 2:
      return new SystemContinuation(source.int64(2), guard);
    default:
      return guard === undefined ? emptyContinuation : new EmptyContinuation(guard);
  }
}
