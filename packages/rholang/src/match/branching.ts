import type { Expr, Match, New, Par, Receive, Send } from "@vedette/terms";
import { matchBranches, matchFactsKnown } from "./parFacts.js";

/**
 * Whether a match against this pattern can have several alternatives: only a connective on the way makes a choice
 * that may have to be taken back. All other patterns are matched straight on, without continuations.
 *
 * @spec 22 §1.11
 */
export function branches(pattern: Par): boolean {
  if (!pattern.connectiveUsed) return false;
  if ((pattern.cachedFacts & matchFactsKnown) === 0)
    pattern.cachedFacts |= matchFactsKnown | (somePartBranches(pattern) ? matchBranches : 0);
  return (pattern.cachedFacts & matchBranches) !== 0;
}

/** @spec 22 §1.9 */
export function sendBranches(pattern: Send): boolean {
  return branches(pattern.chan) || pattern.data.some(branches);
}

/** @spec 22 §1.9 */
export function receiveBranches(pattern: Receive): boolean {
  return branches(pattern.body) || pattern.binds.some((bind) => branches(bind.source));
}

/** @spec 22 §1.9 */
export function newBranches(pattern: New): boolean {
  return branches(pattern.p);
}

/** @spec 22 §1.9 */
export function matchTermBranches(pattern: Match): boolean {
  return branches(pattern.target) || pattern.cases.some((each) => branches(each.source));
}

/** @spec 22 §1.9 */
export function exprBranches(pattern: Expr): boolean {
  switch (pattern.kind) {
    case "EList":
    case "ETuple":
    case "ESet":
      return pattern.ps.some(branches);
    case "EMap":
      return pattern.kvs.some((entry) => branches(entry.key) || branches(entry.value));
    case "EUnary":
      return branches(pattern.p);
    case "EBinary":
      return branches(pattern.p1) || branches(pattern.p2);
    default:
      return false;
  }
}

function somePartBranches(pattern: Par): boolean {
  return (
    pattern.connectives.length > 0 ||
    pattern.exprs.some(exprBranches) ||
    pattern.sends.some(sendBranches) ||
    pattern.receives.some(receiveBranches) ||
    pattern.news.some(newBranches) ||
    pattern.matches.some(matchTermBranches)
  );
}
