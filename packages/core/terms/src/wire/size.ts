import type { BitSet } from "../model/BitSet.js";
import {
  type Bundle,
  type Connective,
  type EBinary,
  type EList,
  type EMap,
  type EMatches,
  type EMethod,
  type ESet,
  type ETuple,
  type EUnary,
  type Expr,
  isNil,
  type KeyValuePair,
  type Match,
  type MatchCase,
  type New,
  type Par,
  type Receive,
  type ReceiveBind,
  type Send,
} from "../model/Par.js";
import type { Unforgeable } from "../model/Unforgeable.js";
import type { Var } from "../model/Var.js";
import { binaryField } from "./fields.js";
import { utf8Size } from "./utf8.js";
import { farFramedSize, framedSize, int32Size, sint64Size, varintSize, zigZag32 } from "./varint.js";

/**
 * Serialized size in bytes of a term, without a tag or length of its own; cached on every node that has fields.
 *
 * @spec 20 §10, 22 §5
 * @cost grows with the nodes that were not measured before
 */
export function sizeOfPar(par: Par): number {
  if (par.cachedSize >= 0) return par.cachedSize;
  let size = 0;
  for (const send of par.sends) size += framedSize(sizeOfSend(send));
  for (const receive of par.receives) size += framedSize(sizeOfReceive(receive));
  for (const fresh of par.news) size += framedSize(sizeOfNew(fresh));
  for (const expr of par.exprs) size += framedSize(sizeOfExpr(expr));
  for (const match of par.matches) size += framedSize(sizeOfMatch(match));
  for (const unforgeable of par.unforgeables) size += framedSize(sizeOfUnforgeable(unforgeable));
  for (const connective of par.connectives) size += framedSize(sizeOfConnective(connective));
  for (const bundle of par.bundles) size += framedSize(sizeOfBundle(bundle));
  size += flagsSize(par.locallyFree, par.connectiveUsed);
  par.cachedSize = size;
  return size;
}

/**
 * Whether a Par equals the default message and so is left out where it is embedded. Quirk 20 §10 rule 4: its locally
 * free variables do not count.
 *
 * @spec 20 §10, 22 §5.2
 */
export function isDefaultPar(par: Par): boolean {
  return !par.connectiveUsed && isNil(par);
}

/** Size of an embedded Par as a field with a tag of one byte. */
export function embeddedSize(par: Par): number {
  return isDefaultPar(par) ? 0 : framedSize(sizeOfPar(par));
}

/** Size of `repeated Par` as a field with a tag of one byte. */
export function listSize(pars: readonly Par[]): number {
  let size = 0;
  for (const par of pars) size += framedSize(sizeOfPar(par));
  return size;
}

/** Size of the two fields `locallyFree` and `connective_used`. */
function flagsSize(locallyFree: BitSet, connectiveUsed: boolean): number {
  const size = locallyFree.length === 0 ? 0 : framedSize(locallyFree.length);
  return connectiveUsed ? size + 2 : size;
}

/** Size of an optional Var as a field. */
export function remainderSize(remainder: Var | undefined): number {
  return remainder === undefined ? 0 : framedSize(sizeOfVar(remainder));
}

/** Serialized size of a send. @spec 20 §10, 22 §5 */
export function sizeOfSend(send: Send): number {
  if (send.cachedSize >= 0) return send.cachedSize;
  let size = embeddedSize(send.chan) + listSize(send.data) + flagsSize(send.locallyFree, send.connectiveUsed);
  if (send.persistent) size += 2;
  send.cachedSize = size;
  return size;
}

/** Serialized size of a receive. @spec 20 §10, 22 §5 */
export function sizeOfReceive(receive: Receive): number {
  if (receive.cachedSize >= 0) return receive.cachedSize;
  let size = embeddedSize(receive.body) + flagsSize(receive.locallyFree, receive.connectiveUsed);
  for (const bind of receive.binds) size += framedSize(sizeOfReceiveBind(bind));
  if (receive.persistent) size += 2;
  if (receive.peek) size += 2;
  size += countSize(receive.bindCount);
  receive.cachedSize = size;
  return size;
}

/** Serialized size of a bind. @spec 20 §10, 22 §5 */
export function sizeOfReceiveBind(bind: ReceiveBind): number {
  if (bind.cachedSize >= 0) return bind.cachedSize;
  const size =
    listSize(bind.patterns) + embeddedSize(bind.source) + remainderSize(bind.remainder) + countSize(bind.freeCount);
  bind.cachedSize = size;
  return size;
}

/** Serialized size of a `new`. @spec 20 §10, 22 §5 */
export function sizeOfNew(fresh: New): number {
  if (fresh.cachedSize >= 0) return fresh.cachedSize;
  let size = embeddedSize(fresh.p) + flagsSize(fresh.locallyFree, false);
  if (fresh.bindCount !== 0) size += 1 + varintSize(zigZag32(fresh.bindCount));
  for (const uri of fresh.uri) size += framedSize(utf8Size(uri));
  if (fresh.injections.size > 0)
    for (const [urn, value] of fresh.injections) size += framedSize(injectionSize(urn, value));
  fresh.cachedSize = size;
  return size;
}

/** Size of one entry of `injections`. Quirk 20 §10 rule 8: its value is written even if empty. */
export function injectionSize(urn: string, value: Par): number {
  const size = framedSize(sizeOfPar(value));
  return urn.length === 0 ? size : size + framedSize(utf8Size(urn));
}

/** Serialized size of a `match`. @spec 20 §10, 22 §5 */
export function sizeOfMatch(match: Match): number {
  if (match.cachedSize >= 0) return match.cachedSize;
  let size = embeddedSize(match.target) + flagsSize(match.locallyFree, match.connectiveUsed);
  for (const one of match.cases) size += framedSize(sizeOfMatchCase(one));
  match.cachedSize = size;
  return size;
}

/** Serialized size of a case. @spec 20 §10, 22 §5 */
export function sizeOfMatchCase(one: MatchCase): number {
  if (one.cachedSize >= 0) return one.cachedSize;
  const size = embeddedSize(one.pattern) + embeddedSize(one.source) + countSize(one.freeCount);
  one.cachedSize = size;
  return size;
}

/** Serialized size of a bundle. @spec 20 §10, 22 §5 */
export function sizeOfBundle(bundle: Bundle): number {
  if (bundle.cachedSize >= 0) return bundle.cachedSize;
  let size = embeddedSize(bundle.body);
  if (bundle.writeFlag) size += 2;
  if (bundle.readFlag) size += 2;
  bundle.cachedSize = size;
  return size;
}

/** Serialized size of an unforgeable name. @spec 20 §10 */
export function sizeOfUnforgeable(unforgeable: Unforgeable): number {
  switch (unforgeable.kind) {
    case "GPrivate":
      return framedSize(bytesFieldSize(unforgeable.id));
    case "GDeployId":
      return framedSize(bytesFieldSize(unforgeable.signature));
    case "GDeployerId":
      return framedSize(bytesFieldSize(unforgeable.publicKey));
    case "GSysAuthToken":
      return 2;
    case "EmptyUnforgeable":
      return 0;
  }
}

/** Serialized size of a connective. @spec 20 §10 */
export function sizeOfConnective(connective: Connective): number {
  switch (connective.kind) {
    case "ConnectiveAnd":
    case "ConnectiveOr":
      return framedSize(listSize(connective.ps));
    case "ConnectiveNot":
      return framedSize(sizeOfPar(connective.body));
    case "VarRef":
      return framedSize(varRefSize(connective.index, connective.depth));
    case "ConnectiveType":
      return 2;
    case "EmptyConnective":
      return 0;
  }
}

/** Size of a VarRef message. */
export function varRefSize(index: number, depth: number): number {
  const size = index === 0 ? 0 : 1 + varintSize(zigZag32(index));
  return depth === 0 ? size : size + 1 + varintSize(zigZag32(depth));
}

/** Serialized size of a variable. @spec 20 §10 */
export function sizeOfVar(v: Var): number {
  switch (v.kind) {
    case "BoundVar":
    case "FreeVar":
      return 1 + varintSize(zigZag32(v.index));
    case "Wildcard":
      return 2;
    case "EmptyVar":
      return 0;
  }
}

/** Size of an `int32` field that is left out when 0. */
export function countSize(count: number): number {
  return count === 0 ? 0 : 1 + int32Size(count);
}

/** Size of a `bytes` field that is left out when empty. */
export function bytesFieldSize(bytes: Uint8Array): number {
  return bytes.length === 0 ? 0 : framedSize(bytes.length);
}

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
    default:
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
