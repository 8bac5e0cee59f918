import type { BinaryOperator, BindPattern, Expr, Par } from "@vedette/terms";
import { exprLook } from "./plainLooks.js";
import { type Ordered, overlap, type Range } from "./RangeTree.js";

/** A place in the datum of a bind. */
interface GuardPlace {
  readonly bind: number;
  readonly at: number;
}

/** A bind whose datum must have a plain value at a place. */
export interface GuardLook extends GuardPlace {
  readonly value: string;
}

/** A bind whose datum must have a value of a kind and from a range at a place. */
export interface GuardRange extends GuardPlace {
  readonly kind: OrderedKind;
  readonly range: Range;
}

/** The kinds of values that guards compare. */
type OrderedKind = "GInt" | "GString" | "GBool";

/** The requirements of a guard on single data. */
export interface GuardNeeds {
  readonly looks: readonly GuardLook[];
  /** At most one of a bind. */
  readonly ranges: readonly GuardRange[];
}

/**
 * Finds the values that a guard requires of single data: a variable that is all of its pattern equals a plain value, or
 * is above or below one. A guard that is a conjunction requires both sides.
 *
 * @spec 61 §6.3
 */
export function guardNeeds(guard: Par, patterns: readonly BindPattern[]): GuardNeeds {
  const looks: GuardLook[] = [];
  const ranges = new Map<number, GuardRange>();
  const sides = [guard];
  for (let next = sides.pop(); next !== undefined; next = sides.pop()) {
    const condition = positive(next);
    if (condition?.operator === "EAnd") sides.push(condition.p1, condition.p2);
    else if (condition?.operator === "EEq") {
      const look = equalLook(condition.p1, condition.p2, patterns) ?? equalLook(condition.p2, condition.p1, patterns);
      if (look !== undefined) looks.push(look);
    } else if (condition !== undefined) addRange(ranges, rangeOf(condition, patterns));
  }
  return { looks, ranges: [...ranges.values()] };
}

/** An operator with its operands. */
interface Condition {
  readonly operator: BinaryOperator;
  readonly p1: Par;
  readonly p2: Par;
}

const opposites: Readonly<Partial<Record<BinaryOperator, BinaryOperator>>> = {
  ELt: "EGte",
  EGte: "ELt",
  EGt: "ELte",
  ELte: "EGt",
};

/** Returns a condition without a `not` before it. */
function positive(guard: Par): Condition | undefined {
  const expr = onlyExpr(guard);
  if (expr?.kind === "EBinary") return expr;
  const denied = expr?.kind === "EUnary" && expr.operator === "ENot" ? onlyExpr(expr.p) : undefined;
  if (denied?.kind !== "EBinary") return undefined;
  const operator = opposites[denied.operator];
  return operator === undefined ? undefined : { operator, p1: denied.p1, p2: denied.p2 };
}

function equalLook(variable: Par, plain: Par, patterns: readonly BindPattern[]): GuardLook | undefined {
  const other = onlyExpr(plain);
  const value = other === undefined ? undefined : exprLook(other);
  const place = value === undefined ? undefined : placeOfVariable(variable, patterns);
  return place === undefined ? undefined : { ...place, value: value! };
}

/** The operators that compare the same operands the other way round. */
const turned: Readonly<Partial<Record<BinaryOperator, BinaryOperator>>> = {
  ELt: "EGt",
  EGt: "ELt",
  ELte: "EGte",
  EGte: "ELte",
};

function rangeOf({ operator, p1, p2 }: Condition, patterns: readonly BindPattern[]): GuardRange | undefined {
  const other = turned[operator];
  if (other === undefined) return undefined;
  return (
    rangeBeside(p1, operator, { constant: constantOf(p2), patterns }) ??
    rangeBeside(p2, other, { constant: constantOf(p1), patterns })
  );
}

interface RangeFacts {
  readonly constant: Constant | undefined;
  readonly patterns: readonly BindPattern[];
}

function rangeBeside(variable: Par, operator: BinaryOperator, facts: RangeFacts): GuardRange | undefined {
  const { constant, patterns } = facts;
  const place = constant === undefined ? undefined : placeOfVariable(variable, patterns);
  if (place === undefined) return undefined;
  const { kind, value } = constant!;
  const end = { value, isIn: operator === "ELte" || operator === "EGte" };
  const isBelow = operator === "ELt" || operator === "ELte";
  return { ...place, kind, range: isBelow ? { low: undefined, high: end } : { low: end, high: undefined } };
}

/** Adds a range; of several places or kinds of one bind the first counts. */
function addRange(ranges: Map<number, GuardRange>, added: GuardRange | undefined): void {
  if (added === undefined) return;
  const earlier = ranges.get(added.bind);
  if (earlier === undefined) ranges.set(added.bind, added);
  else if (earlier.at === added.at && earlier.kind === added.kind)
    ranges.set(added.bind, { ...added, range: overlap(earlier.range, added.range) });
}

/** A value without variables. */
interface Constant {
  readonly kind: OrderedKind;
  readonly value: Ordered;
}

/** The value of an expression as a guard computes it, of the simple ones. */
function constantOf(par: Par): Constant | undefined {
  const expr = onlyExpr(par);
  const plain = expr === undefined ? undefined : orderedOf(expr);
  if (plain !== undefined) return plain;
  const computed = expr?.kind === "EUnary" || expr?.kind === "EBinary" ? computedInt(expr) : undefined;
  return computed === undefined || BigInt.asIntN(64, computed) !== computed
    ? undefined
    : { kind: "GInt", value: computed };
}

function computedInt(expr: Extract<Expr, { kind: "EUnary" | "EBinary" }>): bigint | undefined {
  if (expr.kind === "EUnary") {
    const value = intOf(expr.p);
    return expr.operator === "ENeg" && value !== undefined ? -value : undefined;
  }
  const [one, other] = [intOf(expr.p1), intOf(expr.p2)];
  if (one === undefined || other === undefined) return undefined;
  if (expr.operator === "EPlus") return one + other;
  if (expr.operator === "EMinus") return one - other;
  return expr.operator === "EMult" ? one * other : undefined;
}

function intOf(par: Par): bigint | undefined {
  const constant = constantOf(par);
  return constant?.kind === "GInt" ? (constant.value as bigint) : undefined;
}

/** A value that has an order among those of its kind. */
export function orderedOf(expr: Expr): Constant | undefined {
  if (expr.kind === "GInt" || expr.kind === "GString") return expr;
  return expr.kind === "GBool" ? { kind: "GBool", value: expr.value ? 1n : 0n } : undefined;
}

/** The place of a variable that is all of its pattern. */
function placeOfVariable(variable: Par, patterns: readonly BindPattern[]): GuardPlace | undefined {
  const name = onlyExpr(variable);
  if (name?.kind !== "EVar" || name.v.kind !== "BoundVar") return undefined;
  // The last variable of the last bind has index 0.
  let level = -1 - name.v.index;
  for (const { freeCount } of patterns) level += freeCount;
  for (let bind = 0; bind < patterns.length && level >= 0; bind += 1) {
    const pattern = patterns[bind]!;
    if (level < pattern.freeCount) {
      const at = pattern.patterns.findIndex((one) => isVariable(one, level));
      return at < 0 ? undefined : { bind, at };
    }
    level -= pattern.freeCount;
  }
  return undefined;
}

/** Whether a pattern is the variable of a level and nothing else. */
export function isVariable(pattern: Par, level: number): boolean {
  const expr = onlyExpr(pattern);
  return expr?.kind === "EVar" && expr.v.kind === "FreeVar" && expr.v.index === level;
}

/** The expression that a process consists of. */
function onlyExpr(par: Par) {
  const { sends, receives, news, exprs, matches, unforgeables, bundles, connectives, conditionals } = par;
  const isMore = sends.length + receives.length + news.length + matches.length + unforgeables.length > 0;
  if (isMore || bundles.length + connectives.length + conditionals.length > 0) return undefined;
  return exprs.length === 1 ? exprs[0] : undefined;
}
