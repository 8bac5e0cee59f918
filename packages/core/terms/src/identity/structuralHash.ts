import type {
  Bundle,
  Connective,
  Expr,
  If,
  KeyValuePair,
  Match,
  MatchCase,
  New,
  Par,
  Receive,
  ReceiveBind,
  Send,
} from "../model/Par.js";
import type { Unforgeable } from "../model/Unforgeable.js";
import type { Var } from "../model/Var.js";
import { bytesHash, flagHash, longHash, mix, mixLast, noneHash, productSeed, sealed, textHash } from "./murmur.js";

/**
 * rnode's hash of a term, by which its hash tries list elements of equal score. Not the identity of a
 * channel; terms that are equal (`equalPar`) have equal hashes.
 *
 * @spec 20 §11.2
 * @cost grows with the whole term, nothing is remembered
 */
export function structuralHash(par: Par): number {
  let h = productSeed;
  h = mix(h, listHash(par.sends, sendHash));
  h = mix(h, listHash(par.receives, receiveHash));
  h = mix(h, listHash(par.news, newHash));
  h = mix(h, listHash(par.exprs, exprHash));
  h = mix(h, listHash(par.matches, matchHash));
  h = mix(h, listHash(par.unforgeables, unforgeableHash));
  h = mix(h, listHash(par.bundles, bundleHash));
  h = mix(h, listHash(par.connectives, connectiveHash));
  h = mix(h, locallyFreeHash);
  if (par.conditionals.length > 0) h = mix(h, listHash(par.conditionals, conditionalHash));
  return sealed(mix(h, flagHash(par.connectiveUsed)), 10);
}

/** Sets of free variables do not count for equality: they all have this hash. */
const locallyFreeHash = 121410467;

const seqHash = textHash("Seq");
const mapSeed = textHash("Map");
const emptyHash = textHash("Empty");

/** Hash of a list. @spec 20 §11.2 */
function listHash<Element>(list: readonly Element[], hash: (element: Element) => number): number {
  let h = seqHash;
  for (const element of list) h = mix(h, hash(element));
  return sealed(h, list.length);
}

/** Hash of a list of terms. */
function parsHash(pars: readonly Par[]): number {
  return listHash(pars, structuralHash);
}

/** Hash of a message with one member. */
function singleHash(member: number): number {
  return sealed(mix(productSeed, member), 1);
}

/** Hash of a message with two members. */
export function pairOf(first: number, second: number): number {
  return sealed(mix(mix(productSeed, first), second), 2);
}

function sendHash(send: Send): number {
  let h = mix(productSeed, structuralHash(send.chan));
  h = mix(h, parsHash(send.data));
  h = mix(h, flagHash(send.persistent));
  h = mix(h, locallyFreeHash);
  return sealed(mix(h, flagHash(send.connectiveUsed)), 5);
}

function receiveHash(receive: Receive): number {
  let h = mix(productSeed, listHash(receive.binds, receiveBindHash));
  h = mix(h, structuralHash(receive.body));
  h = mix(h, flagHash(receive.persistent));
  h = mix(h, flagHash(receive.peek));
  h = mix(h, receive.bindCount);
  h = mix(h, locallyFreeHash);
  return sealed(mix(h, flagHash(receive.connectiveUsed)), 7);
}

function receiveBindHash(bind: ReceiveBind): number {
  let h = mix(productSeed, parsHash(bind.patterns));
  h = mix(h, structuralHash(bind.source));
  h = mix(h, remainderHash(bind.remainder));
  return sealed(mix(h, bind.freeCount), 4);
}

function newHash(fresh: New): number {
  let h = mix(productSeed, fresh.bindCount);
  h = mix(h, structuralHash(fresh.p));
  h = mix(h, listHash(fresh.uri, textHash));
  h = mix(h, injectionsHash(fresh.injections));
  return sealed(mix(h, locallyFreeHash), 5);
}

/** Hash of a map, whatever its order: sum, exclusive or and product of the hashes of its entries. */
function injectionsHash(injections: ReadonlyMap<string, Par>): number {
  let sum = 0;
  let xor = 0;
  let product = 1;
  for (const [urn, value] of injections) {
    const entry = pairOf(textHash(urn), structuralHash(value));
    sum = (sum + entry) | 0;
    xor ^= entry;
    if (entry !== 0) product = Math.imul(product, entry);
  }
  return sealed(mixLast(mix(mix(mapSeed, sum), xor), product), injections.size);
}

function matchHash(match: Match): number {
  let h = mix(productSeed, structuralHash(match.target));
  h = mix(h, listHash(match.cases, matchCaseHash));
  h = mix(h, locallyFreeHash);
  return sealed(mix(h, flagHash(match.connectiveUsed)), 4);
}

function matchCaseHash(one: MatchCase): number {
  const h = mix(mix(productSeed, structuralHash(one.pattern)), structuralHash(one.source));
  return sealed(mix(h, one.freeCount), 3);
}

/** No hash of a reference is known: only that equal terms have equal ones counts. */
function conditionalHash(conditional: If): number {
  const h = mix(productSeed, structuralHash(conditional.condition));
  return sealed(mix(mix(h, structuralHash(conditional.ifTrue)), structuralHash(conditional.ifFalse)), 3);
}

function bundleHash(bundle: Bundle): number {
  const h = mix(mix(productSeed, structuralHash(bundle.body)), flagHash(bundle.writeFlag));
  return sealed(mix(h, flagHash(bundle.readFlag)), 3);
}

function unforgeableHash(unforgeable: Unforgeable): number {
  switch (unforgeable.kind) {
    case "GPrivate":
      return singleHash(singleHash(singleHash(bytesHash(unforgeable.id))));
    case "GDeployId":
      return singleHash(singleHash(singleHash(bytesHash(unforgeable.signature))));
    case "GDeployerId":
      return singleHash(singleHash(singleHash(bytesHash(unforgeable.publicKey))));
    case "GSysAuthToken":
      return singleHash(singleHash(textHash("GSysAuthToken")));
    case "EmptyUnforgeable":
      return singleHash(emptyHash);
  }
}

function connectiveHash(connective: Connective): number {
  switch (connective.kind) {
    case "ConnectiveAnd":
    case "ConnectiveOr":
      return singleHash(singleHash(singleHash(parsHash(connective.ps))));
    case "ConnectiveNot":
      return singleHash(singleHash(structuralHash(connective.body)));
    case "VarRef":
      return singleHash(singleHash(pairOf(connective.index, connective.depth)));
    case "ConnectiveType":
      return singleHash(singleHash(flagHash(connective.value)));
    case "EmptyConnective":
      return singleHash(emptyHash);
  }
}

/** Hash of a Var message. @spec 20 §11.2 */
function varHash(v: Var): number {
  switch (v.kind) {
    case "BoundVar":
    case "FreeVar":
      return singleHash(singleHash(v.index));
    case "Wildcard":
      return singleHash(singleHash(textHash("WildcardMsg")));
    case "EmptyVar":
      return singleHash(emptyHash);
  }
}

/** Hash of an optional Var. */
function remainderHash(remainder: Var | undefined): number {
  return remainder === undefined ? noneHash : singleHash(varHash(remainder));
}

/** Hash of a map entry. */
function keyValueHash(pair: KeyValuePair): number {
  return pairOf(structuralHash(pair.key), structuralHash(pair.value));
}

/** Hash of an Expr message: of the member of its oneof, wrapped twice. @spec 20 §11.2 */
function exprHash(expr: Expr): number {
  return expr.kind === "EmptyExpr" ? singleHash(textHash("Empty")) : singleHash(singleHash(memberHash(expr)));
}

function memberHash(expr: Expr): number {
  switch (expr.kind) {
    case "GBool":
      return flagHash(expr.value);
    case "GInt":
      return longHash(expr.value);
    case "GString":
    case "GUri":
      return textHash(expr.value);
    case "GByteArray":
      return bytesHash(expr.value);
    case "EVar":
      return singleHash(varHash(expr.v));
    case "EUnary":
      return singleHash(structuralHash(expr.p));
    case "EBinary":
      return pairOf(structuralHash(expr.p1), structuralHash(expr.p2));
    case "EMatches":
      return pairOf(structuralHash(expr.target), structuralHash(expr.pattern));
    default:
      return collectionHash(expr);
  }
}

function collectionHash(expr: Expr): number {
  switch (expr.kind) {
    case "EList": {
      let h = mix(mix(productSeed, parsHash(expr.ps)), locallyFreeHash);
      h = mix(h, flagHash(expr.connectiveUsed));
      return sealed(mix(h, remainderHash(expr.remainder)), 4);
    }
    case "ETuple": {
      const h = mix(mix(productSeed, parsHash(expr.ps)), locallyFreeHash);
      return sealed(mix(h, flagHash(expr.connectiveUsed)), 3);
    }
    case "EMethod": {
      let h = mix(productSeed, textHash(expr.methodName));
      h = mix(h, structuralHash(expr.target));
      h = mix(h, parsHash(expr.args));
      h = mix(h, locallyFreeHash);
      return sealed(mix(h, flagHash(expr.connectiveUsed)), 5);
    }
    case "ESet":
      return javaHash(parsHash(expr.ps), expr.remainder, expr.connectiveUsed);
    case "EPathMap":
      return parsHash(expr.ps);
    case "GDouble":
      return longHash(BigInt.asIntN(64, expr.bits));
    case "GBigInt":
      return bytesHash(expr.value);
    case "GBigRational":
      return pairOf(bytesHash(expr.numerator), bytesHash(expr.denominator));
    case "GFixedPoint":
      return pairOf(bytesHash(expr.unscaled), expr.scale);
    case "EMap":
      return javaHash(listHash(expr.kvs, keyValueHash), expr.remainder, expr.connectiveUsed);
    default:
      return 0;
  }
}

/** Java's hash of three objects in a row. */
function javaHash(elements: number, remainder: Var | undefined, connectiveUsed: boolean): number {
  let h = (31 + elements) | 0;
  h = (Math.imul(h, 31) + remainderHash(remainder)) | 0;
  return (Math.imul(h, 31) + flagHash(connectiveUsed)) | 0;
}
