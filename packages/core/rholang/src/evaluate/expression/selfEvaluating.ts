import {
  type EList,
  type EMap,
  type ESet,
  type ETuple,
  type Expr,
  exprConnectiveUsed,
  makeMap,
  makeSet,
  type Par,
  rnodeAtoms,
} from "@vedette/terms";
import { evaluatesToItself, evaluationFactsKnown, isValueAsItem, itemFactsKnown } from "../../match/parFacts.js";
import { itemLocallyFree } from "./itemLocallyFree.js";

/**
 * Whether the evaluation of a Par's expressions gives the Par itself and charges nothing: a value, or a process
 * without expressions. Remembered on the Par, so that a large value is looked through only once.
 *
 * @spec 21 §5.1
 */
export function isSelfEvaluating(par: Par): boolean {
  if ((par.cachedFacts & evaluationFactsKnown) === 0)
    par.cachedFacts |= evaluationFactsKnown | (hasOnlyValue(par) ? evaluatesToItself : 0);
  return (par.cachedFacts & evaluatesToItself) !== 0;
}

/** Whether evaluation gives the expression itself and charges nothing. @spec 21 §5.3 */
export function isValue(expr: Expr): boolean {
  switch (expr.kind) {
    case "GBool":
    case "GInt":
    case "GString":
    case "GUri":
    case "GByteArray":
      return true;
    case "EList":
      return expr.remainder === undefined && isPlainValue(expr);
    case "ETuple":
      return isPlainValue(expr);
    case "ESet":
      return isSetValue(expr);
    case "EMap":
      return isMapValue(expr);
    default:
      return false;
  }
}

/** Quirk 21 §5.1: several expressions come out in reverse order, so they are not the same Par. */
function hasOnlyValue(par: Par): boolean {
  if (par.exprs.length === 0) return true;
  if (par.exprs.length > 1) return false;
  const expr = par.exprs[0]!;
  return isValue(expr) && (par.connectiveUsed || !exprConnectiveUsed(expr));
}

/** The free variables are worked out anew from the items, so only a closed collection is certain to stay as it is. */
function isPlainValue(expr: EList | ETuple): boolean {
  return expr.locallyFree.length === 0 && expr.ps.every(isItemValue);
}

function isSetValue(set: ESet): boolean {
  return (
    set.ps.every(isItemValue) &&
    makeSet(set.ps, set.locallyFree, set.connectiveUsed, undefined, rnodeAtoms).ps === set.ps
  );
}

function isMapValue(map: EMap): boolean {
  return (
    map.kvs.every((entry) => isItemValue(entry.key) && isItemValue(entry.value)) &&
    makeMap(map.kvs, map.locallyFree, map.connectiveUsed, undefined, rnodeAtoms).kvs === map.kvs
  );
}

function isItemValue(item: Par): boolean {
  if ((item.cachedFacts & itemFactsKnown) === 0) {
    const isValue = item.locallyFree.length === 0 && isSelfEvaluating(item) && itemLocallyFree(item).length === 0;
    item.cachedFacts |= itemFactsKnown | (isValue ? isValueAsItem : 0);
  }
  return (item.cachedFacts & isValueAsItem) !== 0;
}
