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

/**
 * Equality of terms: of all fields except the sets of locally free variables, lists in their order.
 *
 * @spec 20 §11.1
 * @cost grows with what is equal; a term shared by both costs nothing
 */
export function equalPar(left: Par, right: Par): boolean {
  if (left === right) return true;
  return (
    left.connectiveUsed === right.connectiveUsed &&
    equalLists(left.exprs, right.exprs, equalExpr) &&
    equalLists(left.unforgeables, right.unforgeables, equalUnforgeable) &&
    equalLists(left.sends, right.sends, equalSend) &&
    equalLists(left.receives, right.receives, equalReceive) &&
    equalLists(left.news, right.news, equalNew) &&
    equalLists(left.matches, right.matches, equalMatch) &&
    equalLists(left.bundles, right.bundles, equalBundle) &&
    equalLists(left.connectives, right.connectives, equalConnective) &&
    equalLists(left.conditionals, right.conditionals, equalConditional)
  );
}

function equalLists<Element>(
  left: readonly Element[],
  right: readonly Element[],
  equal: (left: Element, right: Element) => boolean,
): boolean {
  if (left === right) return true;
  if (left.length !== right.length) return false;
  for (let i = 0; i < left.length; i += 1) if (left[i] !== right[i] && !equal(left[i]!, right[i]!)) return false;
  return true;
}

/** Equality of two lists of terms, in their order. @spec 20 §11.1 */
export function equalPars(left: readonly Par[], right: readonly Par[]): boolean {
  return equalLists(left, right, equalPar);
}

/** Equality of sends. @spec 20 §11.1 */
export function equalSend(left: Send, right: Send): boolean {
  return (
    left.persistent === right.persistent &&
    left.connectiveUsed === right.connectiveUsed &&
    equalPar(left.chan, right.chan) &&
    equalPars(left.data, right.data)
  );
}

/** Equality of receives. @spec 20 §11.1 */
export function equalReceive(left: Receive, right: Receive): boolean {
  return (
    left.persistent === right.persistent &&
    left.peek === right.peek &&
    left.bindCount === right.bindCount &&
    left.connectiveUsed === right.connectiveUsed &&
    equalLists(left.binds, right.binds, equalReceiveBind) &&
    equalPar(left.body, right.body) &&
    equalGuard(left.condition, right.condition)
  );
}

function equalGuard(left: Par | undefined, right: Par | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return equalPar(left, right);
}

/** Equality of binds. @spec 20 §11.1 */
export function equalReceiveBind(left: ReceiveBind, right: ReceiveBind): boolean {
  return (
    left.freeCount === right.freeCount &&
    equalRemainder(left.remainder, right.remainder) &&
    equalPar(left.source, right.source) &&
    equalPars(left.patterns, right.patterns)
  );
}

/** Equality of `new`s. @spec 20 §11.1 */
export function equalNew(left: New, right: New): boolean {
  return (
    left.bindCount === right.bindCount &&
    equalLists(left.uri, right.uri, isSame) &&
    equalInjections(left.injections, right.injections) &&
    equalPar(left.p, right.p)
  );
}

function isSame(left: string, right: string): boolean {
  return left === right;
}

function equalInjections(left: ReadonlyMap<string, Par>, right: ReadonlyMap<string, Par>): boolean {
  if (left === right) return true;
  if (left.size !== right.size) return false;
  const others = right.entries();
  for (const [urn, value] of left) {
    const other = others.next();
    if (other.done === true || other.value[0] !== urn || !equalPar(value, other.value[1])) return false;
  }
  return true;
}

/** Equality of `match`es. @spec 20 §11.1 */
export function equalMatch(left: Match, right: Match): boolean {
  return (
    left.connectiveUsed === right.connectiveUsed &&
    equalPar(left.target, right.target) &&
    equalLists(left.cases, right.cases, equalMatchCase)
  );
}

/** @spec 20 §11.1 */
function equalMatchCase(left: MatchCase, right: MatchCase): boolean {
  return (
    left.freeCount === right.freeCount &&
    equalPar(left.pattern, right.pattern) &&
    equalPar(left.source, right.source) &&
    equalGuard(left.guard, right.guard)
  );
}

/** Equality of conditionals. @spec 20 §11.1, §14.2 */
function equalConditional(left: If, right: If): boolean {
  return (
    left.connectiveUsed === right.connectiveUsed &&
    equalPar(left.condition, right.condition) &&
    equalPar(left.ifTrue, right.ifTrue) &&
    equalPar(left.ifFalse, right.ifFalse)
  );
}

/** Equality of bundles. @spec 20 §11.1 */
export function equalBundle(left: Bundle, right: Bundle): boolean {
  return left.writeFlag === right.writeFlag && left.readFlag === right.readFlag && equalPar(left.body, right.body);
}

/** Equality of expressions. @spec 20 §11.1 */
export function equalExpr(left: Expr, right: Expr): boolean {
  if (left === right) return true;
  switch (left.kind) {
    case "EVar":
      return right.kind === "EVar" && equalVar(left.v, right.v);
    case "GInt":
      return right.kind === "GInt" && left.value === right.value;
    case "GString":
    case "GUri":
    case "GBool":
      return right.kind === left.kind && left.value === right.value;
    case "GByteArray":
      return right.kind === "GByteArray" && equalContent(left.value, right.value);
    case "EmptyExpr":
      return right.kind === "EmptyExpr";
    default:
      return equalCompound(left, right);
  }
}

function equalCompound(left: Expr, right: Expr): boolean {
  switch (left.kind) {
    case "EList":
    case "ESet":
    case "EPathMap":
      return (
        right.kind === left.kind &&
        left.connectiveUsed === right.connectiveUsed &&
        equalRemainder(left.remainder, right.remainder) &&
        equalPars(left.ps, right.ps)
      );
    case "ETuple":
      return right.kind === "ETuple" && left.connectiveUsed === right.connectiveUsed && equalPars(left.ps, right.ps);
    case "EMap":
      return (
        right.kind === "EMap" &&
        left.connectiveUsed === right.connectiveUsed &&
        equalRemainder(left.remainder, right.remainder) &&
        equalLists(left.kvs, right.kvs, equalPair)
      );
    case "EMethod":
      return (
        right.kind === "EMethod" &&
        left.methodName === right.methodName &&
        left.connectiveUsed === right.connectiveUsed &&
        equalPar(left.target, right.target) &&
        equalPars(left.args, right.args)
      );
    case "EBinary":
      return (
        right.kind === "EBinary" &&
        left.operator === right.operator &&
        equalPar(left.p1, right.p1) &&
        equalPar(left.p2, right.p2)
      );
    case "EUnary":
      return right.kind === "EUnary" && left.operator === right.operator && equalPar(left.p, right.p);
    case "EMatches":
      return right.kind === "EMatches" && equalPar(left.target, right.target) && equalPar(left.pattern, right.pattern);
    default:
      return equalRare(left, right);
  }
}

/** Compares the kinds of expressions that only f1r3node has. @spec 20 §14.2 */
function equalRare(left: Expr, right: Expr): boolean {
  switch (left.kind) {
    case "GDouble":
      return right.kind === "GDouble" && left.bits === right.bits;
    case "GBigInt":
      return right.kind === "GBigInt" && equalContent(left.value, right.value);
    case "GBigRational":
      return (
        right.kind === "GBigRational" &&
        equalContent(left.numerator, right.numerator) &&
        equalContent(left.denominator, right.denominator)
      );
    case "GFixedPoint":
      return right.kind === "GFixedPoint" && left.scale === right.scale && equalContent(left.unscaled, right.unscaled);
    case "EZipper":
      return (
        right.kind === "EZipper" &&
        left.isWriteZipper === right.isWriteZipper &&
        left.connectiveUsed === right.connectiveUsed &&
        equalLists(left.currentPath, right.currentPath, equalContent) &&
        (left.pathMap === undefined || right.pathMap === undefined
          ? left.pathMap === right.pathMap
          : equalExpr(left.pathMap, right.pathMap))
      );
    default:
      return false;
  }
}

function equalPair(left: KeyValuePair, right: KeyValuePair): boolean {
  return equalPar(left.key, right.key) && equalPar(left.value, right.value);
}

/** Equality of connectives. @spec 20 §11.1 */
export function equalConnective(left: Connective, right: Connective): boolean {
  switch (left.kind) {
    case "ConnectiveAnd":
    case "ConnectiveOr":
      return right.kind === left.kind && equalPars(left.ps, right.ps);
    case "ConnectiveNot":
      return right.kind === "ConnectiveNot" && equalPar(left.body, right.body);
    case "VarRef":
      return right.kind === "VarRef" && left.index === right.index && left.depth === right.depth;
    case "ConnectiveType":
      return right.kind === "ConnectiveType" && left.typeName === right.typeName && left.value === right.value;
    case "EmptyConnective":
      return right.kind === "EmptyConnective";
  }
}

/** Equality of unforgeable names. @spec 20 §11.1 */
export function equalUnforgeable(left: Unforgeable, right: Unforgeable): boolean {
  switch (left.kind) {
    case "GPrivate":
      return right.kind === "GPrivate" && equalContent(left.id, right.id);
    case "GDeployId":
      return right.kind === "GDeployId" && equalContent(left.signature, right.signature);
    case "GDeployerId":
      return right.kind === "GDeployerId" && equalContent(left.publicKey, right.publicKey);
    default:
      return right.kind === left.kind;
  }
}

/** @spec 20 §11.1 */
function equalVar(left: Var, right: Var): boolean {
  if (left.kind === "BoundVar" || left.kind === "FreeVar")
    return right.kind === left.kind && left.index === right.index;
  return left.kind === right.kind;
}

function equalRemainder(left: Var | undefined, right: Var | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return equalVar(left, right);
}

function equalContent(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  for (let i = 0; i < left.length; i += 1) if (left[i] !== right[i]) return false;
  return true;
}
