import type { EVar, Expr, FreeVar, Match, New, Par, Receive, Send } from "@vedette/terms";
import { isVariablePattern, matchBranches, matchFactsKnown } from "./parFacts.js";

/**
 * Whether a match against this pattern can have several alternatives: only a connective on the way makes a choice
 * that may have to be taken back. All other patterns are matched straight on, without continuations.
 *
 * @spec 22 §1.11
 */
export function branches(pattern: Par): boolean {
  return pattern.connectiveUsed && (factsOf(pattern) & matchBranches) !== 0;
}

/**
 * The level of a pattern that is one free variable and nothing else, the most frequent kind of all.
 *
 * @spec 22 §1.4
 * @returns -1 for any other pattern
 */
export function variableLevel(pattern: Par): number {
  if (!pattern.connectiveUsed || (factsOf(pattern) & isVariablePattern) === 0) return -1;
  return ((pattern.exprs[0] as EVar).v as FreeVar).index;
}

function factsOf(pattern: Par): number {
  if ((pattern.cachedFacts & matchFactsKnown) === 0) {
    const facts = (somePartBranches(pattern) ? matchBranches : 0) | (isVariable(pattern) ? isVariablePattern : 0);
    pattern.cachedFacts |= matchFactsKnown | facts;
  }
  return pattern.cachedFacts;
}

function isVariable(pattern: Par): boolean {
  const expr = pattern.exprs[0];
  if (pattern.exprs.length !== 1 || expr?.kind !== "EVar" || expr.v.kind !== "FreeVar") return false;
  const others =
    pattern.sends.length +
    pattern.receives.length +
    pattern.news.length +
    pattern.matches.length +
    pattern.unforgeables.length +
    pattern.bundles.length +
    pattern.connectives.length;
  return others === 0 && expr.v.index >= 0;
}

/** Whether a send's pattern can match in several ways. @spec 22 §1.9 */
export function sendBranches(pattern: Send): boolean {
  return branches(pattern.chan) || pattern.data.some(branches);
}

/** Whether a receive's pattern can match in several ways. @spec 22 §1.9 */
export function receiveBranches(pattern: Receive): boolean {
  return branches(pattern.body) || pattern.binds.some((bind) => branches(bind.source));
}

/** Whether a `new`'s pattern can match in several ways. @spec 22 §1.9 */
export function newBranches(pattern: New): boolean {
  return branches(pattern.p);
}

/** Whether a `match`'s pattern can match in several ways. @spec 22 §1.9 */
export function matchTermBranches(pattern: Match): boolean {
  return branches(pattern.target) || pattern.cases.some((each) => branches(each.source));
}

/** Whether an expression's pattern can match in several ways. @spec 22 §1.9 */
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
