import type { New } from "../model/New.js";
import { compareSorted } from "./compare.js";
import { compareTexts } from "./compareAtoms.js";
import { sortPar } from "./sortPar.js";

/**
 * Order of two sorted `new`s: the number of names, the URIs (or 0), the injections (or 0), the body.
 *
 * What stands at the same place need not be of the same kind. In ascending order: the leaf 0, a URI, the body
 * (a node that starts with a number), an injection (a node that starts with a text).
 *
 * @spec 20 §9.3
 */
export function compareNews(left: New, right: New): number {
  if (left.bindCount !== right.bindCount) return left.bindCount - right.bindCount;
  const lengths = Math.min(left.uri.length, right.uri.length);
  for (let i = 0; i < lengths; i += 1) {
    const order = compareTexts(left.uri[i]!, right.uri[i]!);
    if (order !== 0) return order;
  }
  if (left.uri.length !== right.uri.length) return compareUriEnds(left, right, lengths);
  return compareInjections(left, right) || compareSorted(left.p, right.p);
}

/** One side has a URI at this place, the other (if it has any) has no more. */
function compareUriEnds(left: New, right: New, place: number): number {
  const shorter = left.uri.length < right.uri.length ? left : right;
  // With no URI at all the leaf 0 stands there; else an injection (a node, above a URI) or the leaf 0.
  const isShorterAbove = place > 0 && shorter.injections.size > 0;
  return (shorter === left) === isShorterAbove ? 1 : -1;
}

function compareInjections(left: New, right: New): number {
  if (left.injections === right.injections) return 0;
  const others = right.injections.entries();
  for (const [urn, value] of left.injections) {
    const other = others.next();
    // Either the leaf 0 or, where injections have ended, the body: both are below an injection.
    if (other.done === true) return 1;
    const order = compareTexts(urn, other.value[0]) || compareSorted(sortPar(value), sortPar(other.value[1]));
    if (order !== 0) return order;
  }
  return others.next().done === true ? 0 : -1;
}
