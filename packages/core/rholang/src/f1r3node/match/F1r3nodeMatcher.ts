import {
  type Connective,
  EList,
  type Expr,
  emptyBitSet,
  isNil,
  nil,
  Par,
  type ParFields,
  type Var,
} from "@vedette/terms";
import { countsOf, isWithin } from "../../match/bounds.js";
import { ElementPlaces } from "../../match/ElementPlaces.js";
import { freeParts } from "../../match/freeParts.js";
import type { WorkMeter } from "../../match/WorkMeter.js";
import { bundleKind, matchKind, newKind, receiveKind, sendKind, unforgeableKind } from "./elementKinds.js";
import { equalWhole } from "./equalWhole.js";
import { exprKind } from "./exprKind.js";
import {
  addF1r3nodeBounds,
  type F1r3nodeBounds,
  f1r3nodeBaseBounds,
  f1r3nodeConnectiveBounds,
} from "./F1r3nodeBounds.js";
import type { F1r3nodeKind, F1r3nodeLeftover, F1r3nodeMatching } from "./F1r3nodeMatching.js";
import { f1r3nodeSplits } from "./f1r3nodeSplits.js";
import { type LevelValues, matchSlots } from "./matchSlots.js";
import { canBeKept, hasOneExpr, isTakenWhole, onlyExpr } from "./wholes.js";

/** One way to split a process makes two new ones, and takes as long as this many tests of elements. */
const splitUnits = 256;

/**
 * Matches processes with patterns as f1r3node does: there is one way at most, the first that is found step by
 * step; and what was captured on the way stays, also where the way led nowhere.
 *
 * @spec 22 §1, §9, 61 §6
 */
export class F1r3nodeMatcher implements F1r3nodeMatching {
  captures: LevelValues = new Map();

  /** @param meter counts the work, since a match may take exponential time; may throw to end it */
  constructor(private readonly meter: WorkMeter | undefined) {}

  par(target: Par, pattern: Par): boolean {
    if (!pattern.connectiveUsed) return equalWhole(target, pattern);
    const expr = onlyExpr(pattern);
    if (expr?.kind === "EVar") {
      if (expr.v.kind === "Wildcard") return true;
      if (expr.v.kind === "FreeVar" && this.takesWhole(target, expr.v.index)) return true;
    } else if (expr !== undefined) return hasOneExpr(target) && this.only(exprKind, target.exprs[0]!, expr);
    const rest = this.withoutConnectives(target, pattern);
    if (rest === undefined) return false;
    const { level, wildcard, exprs } = freeParts(pattern);
    const list = <T>(
      field: keyof ParFields,
      kind: F1r3nodeKind<T>,
      targets: readonly T[],
      patterns: readonly T[],
    ): boolean => {
      const merge = (value: Par, left: readonly T[]): Par => Par.of({ ...value, [field]: left });
      return this.list(kind, targets, patterns, { level, wildcard, merge });
    };
    const isMatch =
      list("sends", sendKind, rest.sends, pattern.sends) &&
      list("receives", receiveKind, rest.receives, pattern.receives) &&
      list("news", newKind, rest.news, pattern.news) &&
      list("exprs", exprKind, rest.exprs, exprs) &&
      list("matches", matchKind, rest.matches, pattern.matches) &&
      list("bundles", bundleKind, rest.bundles, pattern.bundles) &&
      list("unforgeables", unforgeableKind, rest.unforgeables, pattern.unforgeables);
    if (isMatch && level !== undefined) this.keepWhole(level, target);
    return isMatch;
  }

  /** For a pattern that is a variable and nothing else: the most frequent one. @returns whether it took a closed target */
  private takesWhole(target: Par, level: number): boolean {
    if (this.captures.has(level) || !isTakenWhole(target)) return false;
    this.captures.set(level, target);
    return true;
  }

  /** A captured value that is the target itself keeps what is known of it: its size, its hash. */
  private keepWhole(level: number, target: Par): void {
    const value = this.captures.get(level)!;
    const isTarget =
      value.sends === target.sends &&
      value.receives === target.receives &&
      value.news === target.news &&
      value.exprs === target.exprs &&
      value.matches === target.matches &&
      value.bundles === target.bundles &&
      value.unforgeables === target.unforgeables &&
      canBeKept(target);
    if (isTarget) this.captures.set(level, target);
    else if (isNil(value)) this.captures.set(level, nil);
  }

  /** Returns the rest of the target after the connectives of a pattern; each takes the first part that matches. */
  private withoutConnectives(target: Par, pattern: Par): Par | undefined {
    const { connectives } = pattern;
    if (connectives.length === 0) return target;
    const plan = planOf(pattern);
    if (plan.isOneConnective) {
      this.meter?.tick(1);
      if (!isWithin(plan.own[0]!, countsOf(target))) return undefined;
      return this.connective(canBeKept(target) ? target : partOf(target), connectives[0]!) ? nil : undefined;
    }
    let rest: Par | undefined = target;
    for (let i = 0; i < connectives.length && rest !== undefined; i += 1)
      rest = this.split(rest, connectives[i]!, i, plan);
    return rest;
  }

  private split(target: Par, connective: Connective, at: number, { own, later }: F1r3nodeMatchPlan): Par | undefined {
    for (const split of f1r3nodeSplits(target, own[at]!, later[at]!, this.meter)) {
      this.meter?.tick(splitUnits);
      if (this.connective(split.chosen, connective)) return split.others;
    }
    return undefined;
  }

  private connective(target: Par, connective: Connective): boolean {
    switch (connective.kind) {
      case "ConnectiveAnd":
        return connective.ps.every((p) => this.par(target, p));
      case "ConnectiveOr":
        return connective.ps.some((p) => this.disjunct(target, p));
      case "ConnectiveNot":
        return !this.par(target, connective.body);
      case "ConnectiveType":
        return singleExprKind(target) === typeKinds[connective.typeName];
      case "VarRef":
      case "EmptyConnective":
        return false;
    }
  }

  /** Quirk 61 §6: only what a disjunct captured that does match is forgotten. */
  private disjunct(target: Par, pattern: Par): boolean {
    const before = new Map(this.captures);
    if (!this.par(target, pattern)) return false;
    this.captures = before;
    return true;
  }

  fold(targets: readonly Par[], patterns: readonly Par[], remainder: Var | undefined): readonly Par[] | undefined {
    const common = Math.min(targets.length, patterns.length);
    for (let i = 0; i < common; i += 1) if (!this.par(targets[i]!, patterns[i]!)) return undefined;
    if (targets.length === patterns.length) return [];
    if (targets.length < patterns.length) return undefined;
    if (remainder?.kind === "Wildcard") return [];
    if (remainder?.kind !== "FreeVar") return undefined;
    const left = targets.slice(common);
    return left.every((each) => each.locallyFree.length === 0) ? left : undefined;
  }

  setRemainder(remainder: Var | undefined, left: readonly Par[]): void {
    if (remainder?.kind !== "FreeVar") return;
    this.captures.set(remainder.index, Par.of({ exprs: [new EList(left, emptyBitSet, false, undefined)] }));
  }

  list<T>(
    kind: F1r3nodeKind<T>,
    targets: readonly T[],
    patterns: readonly T[],
    leftover: F1r3nodeLeftover<T>,
  ): boolean {
    const { level, wildcard } = leftover;
    const surplus = targets.length - patterns.length;
    if (surplus < 0 || (surplus > 0 && level === undefined && !wildcard)) return false;
    if (patterns.length === 0) {
      if (level === undefined) return true;
      if (!targets.every(kind.isClosed)) return false;
      this.keep(level, targets, leftover);
      return true;
    }
    // The tests of one list share their captures, which no other test sees.
    const inner = new F1r3nodeMatcher(this.meter);
    inner.captures = new Map(this.captures);
    const found = matchSlots(
      { kind, targets, patterns, remainders: level === undefined ? 0 : surplus },
      (target, pattern) => inner.captured(kind, target, pattern),
    );
    if (found === undefined) return false;
    for (const captures of found.captures) for (const [key, value] of captures) this.captures.set(key, value);
    if (level !== undefined) this.keep(level, leftOf(targets, found.left, kind), leftover);
    return true;
  }

  /** As {@link list}, of the only element of a target and the only one of a pattern. */
  private only<T>(kind: F1r3nodeKind<T>, target: T, pattern: T): boolean {
    this.meter?.tick(1);
    if (kind.isConcrete(pattern)) return kind.equal(target, pattern);
    const before = new Map(this.captures);
    if (kind.match(this, target, pattern)) return true;
    this.captures = before;
    return false;
  }

  private keep<T>(level: number, left: readonly T[], { merge }: F1r3nodeLeftover<T>): void {
    this.captures.set(level, merge(this.captures.get(level) ?? nil, left));
  }

  /** All that was captured when this element had matched. @param pattern `undefined` for a place of the remainder */
  private captured<T>(kind: F1r3nodeKind<T>, target: T, pattern: T | undefined): LevelValues | undefined {
    this.meter?.tick(1);
    return this.element(kind, target, pattern) ? new Map(this.captures) : undefined;
  }

  private element<T>(kind: F1r3nodeKind<T>, target: T, pattern: T | undefined): boolean {
    if (pattern === undefined) return kind.isClosed(target);
    return kind.isConcrete(pattern) ? kind.equal(target, pattern) : kind.match(this, target, pattern);
  }
}

/** Quirk 22 §1.7: what is left over is found by equality, not by place. */
function leftOf<T>(targets: readonly T[], left: ReadonlySet<T>, kind: F1r3nodeKind<T>): readonly T[] {
  const others = [...left];
  const places = ElementPlaces.of(kind, targets, others);
  if (places !== undefined)
    return targets.filter((each) => left.has(each) || places.equalsOne(each, (place) => left.has(targets[place]!)));
  return targets.filter((each) => left.has(each) || others.some((other) => kind.equal(other, each)));
}

/** The facts of a pattern with connectives that hold for every target. */
interface F1r3nodeMatchPlan {
  /** For each connective, what it can take. */
  readonly own: readonly F1r3nodeBounds[];
  /** For each connective, what those behind it and the rest of the pattern can take. */
  readonly later: readonly F1r3nodeBounds[];
  /** Whether there is nothing else in the pattern: the connective takes all of the target. */
  readonly isOneConnective: boolean;
}

/** PERF: a waiting pattern is matched with many data. */
const plans = new WeakMap<Par, F1r3nodeMatchPlan>();

function planOf(pattern: Par): F1r3nodeMatchPlan {
  let plan = plans.get(pattern);
  if (plan === undefined) plans.set(pattern, (plan = makePlan(pattern)));
  return plan;
}

function makePlan(pattern: Par): F1r3nodeMatchPlan {
  const own = pattern.connectives.map(f1r3nodeConnectiveBounds);
  const later: F1r3nodeBounds[] = [];
  let sum = f1r3nodeBaseBounds(pattern);
  for (let i = own.length - 1; i >= 0; i -= 1) {
    later[i] = sum;
    sum = addF1r3nodeBounds(own[i]!, sum);
  }
  return { own, later, isOneConnective: own.length === 1 && later[0]!.high.every((most) => most === 0) };
}

/** As a part that is split off. @spec 22 §1.5 */
function partOf({ sends, receives, news, exprs, matches, unforgeables, bundles }: Par): Par {
  return Par.of({ sends, receives, news, exprs, matches, unforgeables, bundles });
}

const typeKinds = {
  Bool: "GBool",
  Int: "GInt",
  String: "GString",
  Uri: "GUri",
  ByteArray: "GByteArray",
} as const satisfies Record<string, Expr["kind"]>;

/** Quirk 22 §1.6: neither unforgeables nor connectives nor conditionals of the target are looked at. */
function singleExprKind(target: Par): Expr["kind"] | undefined {
  const others =
    target.sends.length + target.receives.length + target.news.length + target.matches.length + target.bundles.length;
  return others === 0 && target.exprs.length === 1 ? target.exprs[0]!.kind : undefined;
}
