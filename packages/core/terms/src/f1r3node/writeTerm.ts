import type {
  Bundle,
  Connective,
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
import type { BindPattern, ListParWithRandom, ParWithRandom, TaggedContinuation } from "../model/Tagged.js";
import type { Unforgeable } from "../model/Unforgeable.js";
import { connectiveTypeField } from "../wire/fields.js";
import type { FieldSink } from "./FieldSink.js";
import { putExpr } from "./putExpr.js";
import { putVar } from "./putParts.js";

/** The lists of a Par up to where protobuf and bincode part; the rest is the sink's. @spec 61 §2 */
export function putFirstLists(sink: FieldSink, par: Par): void {
  sink.sizedMessages(1, par.sends, putSend);
  sink.sizedMessages(2, par.receives, putReceive);
  sink.sizedMessages(4, par.news, putNew);
  sink.messages(5, par.exprs, putExpr);
  sink.sizedMessages(6, par.matches, putMatch);
  sink.messages(7, par.unforgeables, putUnforgeable);
}

export function putBundles(sink: FieldSink, par: Par): void {
  sink.sizedMessages(11, par.bundles, putBundle);
}

export function putConnectives(sink: FieldSink, par: Par): void {
  sink.messages(8, par.connectives, putConnective);
}

export function putConditionals(sink: FieldSink, par: Par): void {
  sink.sizedMessages(12, par.conditionals, putIf);
}

export function putParFlags(sink: FieldSink, par: Par): void {
  sink.indices(9, par.locallyFree);
  sink.flag(10, par.connectiveUsed);
}

function putSend(sink: FieldSink, send: Send): void {
  sink.term(1, send.chan);
  sink.terms(2, send.data);
  sink.flag(3, send.persistent);
  sink.indices(5, send.locallyFree);
  sink.flag(6, send.connectiveUsed);
}

function putReceive(sink: FieldSink, receive: Receive): void {
  sink.sizedMessages(1, receive.binds, putReceiveBind);
  sink.term(2, receive.body);
  sink.flag(3, receive.persistent);
  sink.flag(4, receive.peek);
  sink.count(5, receive.bindCount);
  sink.indices(6, receive.locallyFree);
  sink.flag(7, receive.connectiveUsed);
  sink.optionalTerm(8, receive.condition);
}

function putReceiveBind(sink: FieldSink, bind: ReceiveBind): void {
  sink.terms(1, bind.patterns);
  sink.term(2, bind.source);
  sink.optional(3, bind.remainder, putVar);
  sink.count(4, bind.freeCount);
}

/** The patterns of one bind. @spec 61 §2 */
export function putBindPattern(sink: FieldSink, pattern: BindPattern): void {
  sink.terms(1, pattern.patterns);
  sink.optional(2, pattern.remainder, putVar);
  sink.count(3, pattern.freeCount);
}

function putNew(sink: FieldSink, fresh: New): void {
  sink.index(1, fresh.bindCount);
  sink.term(2, fresh.p);
  sink.texts(3, fresh.uri);
  sink.entries(4, fresh.injections);
  sink.indices(5, fresh.locallyFree);
}

function putMatch(sink: FieldSink, match: Match): void {
  sink.term(1, match.target);
  sink.sizedMessages(2, match.cases, putMatchCase);
  sink.indices(4, match.locallyFree);
  sink.flag(5, match.connectiveUsed);
}

function putMatchCase(sink: FieldSink, one: MatchCase): void {
  sink.term(1, one.pattern);
  sink.term(2, one.source);
  sink.count(3, one.freeCount);
  sink.optionalTerm(4, one.guard);
}

function putIf(sink: FieldSink, conditional: If): void {
  sink.term(1, conditional.condition);
  sink.term(2, conditional.ifTrue);
  sink.term(3, conditional.ifFalse);
  sink.indices(4, conditional.locallyFree);
  sink.flag(5, conditional.connectiveUsed);
}

function putBundle(sink: FieldSink, bundle: Bundle): void {
  sink.term(1, bundle.body);
  sink.flag(2, bundle.writeFlag);
  sink.flag(3, bundle.readFlag);
}

function putConnective(sink: FieldSink, connective: Connective): void {
  switch (connective.kind) {
    case "ConnectiveAnd":
    case "ConnectiveOr": {
      const isAnd = connective.kind === "ConnectiveAnd";
      sink.member(isAnd ? 0 : 1);
      sink.message(isAnd ? 1 : 2, connective.ps, putConnectiveBody);
      return;
    }
    case "ConnectiveNot":
      sink.member(2);
      sink.message(3, connective.body, writeTermBody);
      return;
    case "VarRef":
      sink.member(3);
      sink.message(4, connective, putVarRef);
      return;
    case "ConnectiveType": {
      const field = connectiveTypeField[connective.typeName];
      sink.member(field - 1);
      sink.bool(field, connective.value);
      return;
    }
    case "EmptyConnective":
      sink.noMember();
      return;
  }
}

function putConnectiveBody(sink: FieldSink, ps: readonly Par[]): void {
  sink.terms(1, ps);
}

/** A term itself. @spec 61 §2 */
export function writeTermBody(sink: FieldSink, par: Par): void {
  sink.whole(par);
}

function putVarRef(sink: FieldSink, ref: VarRef): void {
  sink.index(1, ref.index);
  sink.index(2, ref.depth);
}

/** @spec 61 §2 */
export function putUnforgeable(sink: FieldSink, unforgeable: Unforgeable): void {
  switch (unforgeable.kind) {
    case "GPrivate":
      sink.member(0);
      sink.message(1, unforgeable.id, putContent);
      return;
    case "GDeployId":
      sink.member(1);
      sink.message(2, unforgeable.signature, putContent);
      return;
    case "GDeployerId":
      sink.member(2);
      sink.message(3, unforgeable.publicKey, putContent);
      return;
    case "GSysAuthToken":
      sink.member(3);
      sink.nothing(4);
      return;
    case "EmptyUnforgeable":
      sink.noMember();
      return;
  }
}

function putContent(sink: FieldSink, content: Uint8Array): void {
  sink.content(1, content);
}

/** The data of one send. @spec 61 §2 */
export function putListParWithRandom(sink: FieldSink, data: ListParWithRandom): void {
  sink.terms(1, data.pars);
  sink.content(2, data.randomState);
}

function putParWithRandom(sink: FieldSink, value: ParWithRandom): void {
  sink.term(1, value.body);
  sink.content(2, value.randomState);
}

/** Writes the continuation of a receive: its guard comes first in bincode alone. @spec 61 §2 */
export function putContinuation(sink: FieldSink, continuation: TaggedContinuation): void {
  sink.optionalTerm(3, continuation.guard);
  switch (continuation.kind) {
    case "ParContinuation":
      sink.member(0);
      sink.message(1, continuation.value, putParWithRandom);
      return;
    case "SystemContinuation":
      sink.member(1);
      sink.int64(2, continuation.bodyRef);
      return;
    case "EmptyContinuation":
      sink.noMember();
      return;
  }
}
