import type { Expr, KeyValuePair, Par } from "@vedette/terms";
import { hasOnlyExprs } from "../../match/hasOnlyExprs.js";
import { evaluatesToItself, evaluationFactsKnown } from "../../match/parFacts.js";

/**
 * Whether the evaluation of a Par's expressions gives the Par itself and charges nothing. Remembered on the Par, so that
 * a large value is looked through only once.
 *
 * @spec 61 §6.4
 */
export function isSelfEvaluating(par: Par): boolean {
  if ((par.cachedFacts & evaluationFactsKnown) === 0)
    par.cachedFacts |= evaluationFactsKnown | (hasOnlyValue(par) ? evaluatesToItself : 0);
  return (par.cachedFacts & evaluatesToItself) !== 0;
}

/** Several expressions come out in reverse order; a collection comes out in a Par that has no flags, and nothing else. */
function hasOnlyValue(par: Par): boolean {
  if (par.exprs.length === 0) return true;
  if (par.exprs.length > 1) return false;
  const expr = par.exprs[0]!;
  if (isGround(expr)) return true;
  const isPlain = par.locallyFree.length === 0 && !par.connectiveUsed && hasOnlyExprs(par);
  return isPlain && par.connectives.length + par.conditionals.length === 0 && isCollectionOfValues(expr);
}

/** Ground values and zippers. */
function isGround(expr: Expr): boolean {
  switch (expr.kind) {
    case "GBool":
    case "GInt":
    case "GString":
    case "GUri":
    case "GByteArray":
    case "GDouble":
    case "GBigInt":
    case "GBigRational":
    case "GFixedPoint":
    case "EZipper":
      return true;
    default:
      return false;
  }
}

/** With this many items the result is also cached with the collection itself, which may come in ever new terms. */
const manyItems = 16;
const knownCollections = new WeakMap<Expr, boolean>();

/** Whether a collection is large, and evaluation gives the collection itself and charges nothing. */
export function isLargeValue(expr: Expr): boolean {
  return isLarge(expr) && isCollectionOfValues(expr);
}

function isLarge(expr: Expr): boolean {
  switch (expr.kind) {
    case "EList":
    case "EPathMap":
    case "ETuple":
    case "ESet":
      return expr.ps.length >= manyItems;
    case "EMap":
      return expr.kvs.length >= manyItems;
    default:
      return false;
  }
}

function isCollectionOfValues(expr: Expr): boolean {
  if (!isLarge(expr)) return hasOnlyValues(expr);
  let isKnown = knownCollections.get(expr);
  if (isKnown === undefined) {
    isKnown = hasOnlyValues(expr);
    knownCollections.set(expr, isKnown);
  }
  return isKnown;
}

/** Quirk 61 §6.4: the remainder of a list or path map is dropped. */
function hasOnlyValues(expr: Expr): boolean {
  switch (expr.kind) {
    case "EList":
    case "EPathMap":
      return expr.remainder === undefined && expr.ps.every(isSelfEvaluating);
    case "ETuple":
    case "ESet":
      return expr.ps.every(isSelfEvaluating);
    case "EMap":
      return expr.kvs.every(isEntryOfValues);
    default:
      return false;
  }
}

function isEntryOfValues({ key, value }: KeyValuePair): boolean {
  return isSelfEvaluating(key) && isSelfEvaluating(value);
}
