import {
  type Connective,
  EList,
  type Expr,
  emptyBitSet,
  equalExpr,
  equalPar,
  exprConnectiveUsed,
  exprLocallyFree,
  type KeyValuePair,
  nil,
  Par,
  parOfExpr,
  type Var,
} from "@vedette/terms";
import { type Alternatives, chained, following, hasAny } from "./alternatives.js";
import { assignments } from "./assignments.js";
import { type ElementKind, ElementKinds, type ListMatch } from "./ElementKinds.js";
import { bounds, type Counts, kinds, parPartitions, plus, sizes } from "./parPartitions.js";
import {
  type Captured,
  field,
  freeLevel,
  isClosedPar,
  isHole,
  isOfType,
  mapOf,
  matchedOperators,
  merged,
  ofRemainder,
  plain,
  setOf,
} from "./plainTerms.js";

/** The search is larger than what one wants to wait for. */
export class TooLong extends Error {}

/**
 * The spatial matcher of chapter 22: a depth-first search of all alternatives by generators, every state
 * immutable, nothing decided early and nothing remembered. Slow, and easy to compare with the text. @spec 22 §1
 */
export class PlainMatcher {
  #stepsLeft: number;
  readonly #kinds = new ElementKinds({
    par: (target, pattern, captured) => this.#par(target, pattern, captured),
    folded: (targets, patterns, captured) => this.#folded(targets, patterns, captured),
    list: (targets, patterns, how, captured) => this.#list(targets, patterns, how, captured),
  });

  constructor(maxSteps: number) {
    this.#stepsLeft = maxSteps;
  }

  /** The first alternative. @throws {TwiceBound} @throws {TooLong} */
  match(target: Par, pattern: Par): Captured | undefined {
    for (const captured of this.#par(target, pattern, new Map())) return captured;
    return undefined;
  }

  *#par(target: Par, pattern: Par, captured: Captured): Alternatives {
    this.#step();
    if (!pattern.connectiveUsed) {
      if (equalPar(pattern, target)) yield captured;
      return;
    }
    const level = pattern.exprs.map(freeLevel).find((found) => found !== undefined);
    const isWild = pattern.exprs.some((expr) => expr.kind === "EVar" && expr.v.kind === "Wildcard");
    const exprs = pattern.exprs.filter((expr) => !isHole(expr));
    const base = sizes({ ...pattern, exprs });
    const limits = pattern.connectives.map(bounds);
    const most = level !== undefined || isWild ? kinds.map(() => Number.MAX_SAFE_INTEGER) : base;
    let found = this.#connectives(target, pattern.connectives, 0, { base, most, limits, captured });
    const list = { level, isWild };
    const lists: ((rest: Par, state: Captured) => Alternatives)[] = [
      (rest, state) =>
        this.#list(rest.sends, pattern.sends, { ...list, kind: this.#kinds.sends, setField: field("sends") }, state),
      (rest, state) =>
        this.#list(
          rest.receives,
          pattern.receives,
          { ...list, kind: this.#kinds.receives, setField: field("receives") },
          state,
        ),
      (rest, state) =>
        this.#list(rest.news, pattern.news, { ...list, kind: this.#kinds.news, setField: field("news") }, state),
      (rest, state) => this.#list(rest.exprs, exprs, { ...list, kind: this.#exprs, setField: field("exprs") }, state),
      (rest, state) =>
        this.#list(
          rest.matches,
          pattern.matches,
          { ...list, kind: this.#kinds.matches, setField: field("matches") },
          state,
        ),
      (rest, state) =>
        this.#list(
          rest.bundles,
          pattern.bundles,
          { ...list, kind: this.#kinds.bundles, setField: field("bundles") },
          state,
        ),
      (rest, state) =>
        this.#list(
          rest.unforgeables,
          pattern.unforgeables,
          { ...list, kind: this.#kinds.unforgeables, setField: field("unforgeables") },
          state,
        ),
    ];
    for (const one of lists) found = chained(found, one);
    for (const [, state] of found) yield state;
  }

  /** Every way to give the connectives their parts of a target, with what is left. @spec 22 §1.5 */
  *#connectives(
    target: Par,
    connectives: readonly Connective[],
    at: number,
    facts: {
      readonly base: Counts;
      readonly most: Counts;
      readonly limits: readonly (readonly [Counts, Counts])[];
      readonly captured: Captured;
    },
  ): Generator<[Par, Captured]> {
    if (at === connectives.length) {
      yield [target, facts.captured];
      return;
    }
    const later = facts.limits.slice(at + 1);
    const minLater = later.reduce((sum, [least]) => plus(sum, least), facts.base);
    const maxLater = later.reduce((sum, [, most]) => plus(sum, most), facts.most);
    for (const [part, rest] of parPartitions(target, facts.limits[at]!, [minLater, maxLater])) {
      this.#step();
      for (const captured of this.#connective(part, connectives[at]!, facts.captured))
        yield* this.#connectives(rest, connectives, at + 1, { ...facts, captured });
    }
  }

  *#connective(target: Par, connective: Connective, captured: Captured): Alternatives {
    switch (connective.kind) {
      case "ConnectiveAnd":
        yield* this.#all(target, connective.ps, captured);
        return;
      case "ConnectiveOr":
        if (connective.ps.some((one) => hasAny(this.#par(target, one, captured)))) yield captured;
        return;
      case "ConnectiveNot":
        if (!hasAny(this.#par(target, connective.body, captured))) yield captured;
        return;
      case "ConnectiveType":
        if (isOfType(target, connective.typeName)) yield captured;
        return;
      default:
        return;
    }
  }

  *#all(target: Par, patterns: readonly Par[], captured: Captured): Alternatives {
    const [first, ...rest] = patterns;
    if (first === undefined) yield captured;
    else for (const state of this.#par(target, first, captured)) yield* this.#all(target, rest, state);
  }

  /** @spec 22 §1.7 */
  *#list<T>(targets: readonly T[], patterns: readonly T[], how: ListMatch<T>, captured: Captured): Alternatives {
    const { kind, level, isWild, setField } = how;
    if (!isWild && level === undefined && patterns.length !== targets.length) return;
    if (patterns.length > targets.length) return;
    if (patterns.length === 0 && targets.length === 0 && level === undefined) {
      yield captured;
      return;
    }
    const withRest = (state: Captured, rest: readonly T[]) =>
      level === undefined ? state : new Map([...state, [level, setField(state.get(level) ?? nil, rest)]]);
    if (patterns.length === 0 && level !== undefined) {
      if (targets.every(kind.isClosed)) yield withRest(captured, targets);
      return;
    }
    const restSlots = level === undefined ? 0 : targets.length - patterns.length;
    const test = (slot: number, candidate: number): Captured[] => {
      const target = targets[candidate]!;
      if (slot < restSlots) return kind.isClosed(target) ? [captured] : [];
      const pattern = patterns[slot - restSlots]!;
      if (!kind.isPattern(pattern)) return kind.equal(target, pattern) ? [captured] : [];
      return [...kind.match(target, pattern, captured)];
    };
    for (const found of assignments(restSlots + patterns.length, targets.length, test)) {
      this.#step();
      const state = merged(
        captured,
        [...found.values()].map(({ result }) => result),
      );
      const resting = [...found].filter(([, { slot }]) => slot < restSlots).map(([candidate]) => targets[candidate]!);
      // Quirk 22 §1.7(1): by equality, so that a duplicate which a pattern took is there, too.
      yield withRest(
        state,
        targets.filter((target) => resting.some((one) => kind.equal(one, target))),
      );
    }
  }

  /** Returns the rest of an ordered list beside the captures. @spec 22 §1.10 */
  *#fold(
    targets: readonly Par[],
    patterns: readonly Par[],
    remainder: Var | undefined,
    captured: Captured,
  ): Generator<[readonly Par[], Captured]> {
    const [target, ...targetsLeft] = targets;
    const [pattern, ...patternsLeft] = patterns;
    if (pattern === undefined) {
      if (target === undefined) yield [[], captured];
      else if (remainder?.kind === "Wildcard") yield [[], captured];
      else if (remainder?.kind === "FreeVar" && targets.every(isClosedPar)) yield [targets, captured];
      return;
    }
    if (target === undefined) return;
    for (const state of this.#par(target, pattern, captured))
      yield* this.#fold(targetsLeft, patternsLeft, remainder, state);
  }

  *#folded(targets: readonly Par[], patterns: readonly Par[], captured: Captured): Alternatives {
    for (const [, state] of this.#fold(targets, patterns, undefined, captured)) yield state;
  }

  readonly #exprs: ElementKind<Expr> = {
    isPattern: exprConnectiveUsed,
    isClosed: (expr) => exprLocallyFree(expr, 0).length === 0,
    equal: equalExpr,
    match: (target, pattern, captured) => this.#expr(target, pattern, captured),
  };

  /** @spec 22 §1.9 */
  *#expr(target: Expr, pattern: Expr, captured: Captured): Alternatives {
    if (target.kind === "EList" && pattern.kind === "EList") {
      for (const [rest, state] of this.#fold(target.ps, pattern.ps, pattern.remainder, captured))
        yield pattern.remainder?.kind === "FreeVar"
          ? new Map([...state, [pattern.remainder.index, parOfExpr(new EList(rest, emptyBitSet, false, undefined))]])
          : state;
    } else if (target.kind === "ETuple" && pattern.kind === "ETuple") {
      yield* this.#folded(target.ps, pattern.ps, captured);
    } else if (target.kind === "ESet" && pattern.kind === "ESet") {
      const setField = (par: Par, list: readonly Par[]) => Par.of({ ...plain(par), exprs: [setOf(list)] });
      yield* this.#list(target.ps, pattern.ps, { ...ofRemainder(pattern), kind: this.#kinds.pars, setField }, captured);
    } else if (target.kind === "EMap" && pattern.kind === "EMap") {
      const setField = (par: Par, list: readonly KeyValuePair[]) => Par.of({ ...plain(par), exprs: [mapOf(list)] });
      yield* this.#list(
        target.kvs,
        pattern.kvs,
        { ...ofRemainder(pattern), kind: this.#kinds.pairs, setField },
        captured,
      );
    } else if (target.kind === "EVar" && pattern.kind === "EVar") {
      if (equalExpr(target, pattern)) yield captured;
    } else if (target.kind === "EUnary" && pattern.kind === "EUnary") {
      if (target.operator === pattern.operator) yield* this.#par(target.p, pattern.p, captured);
    } else if (target.kind === "EBinary" && pattern.kind === "EBinary") {
      if (target.operator !== pattern.operator || !matchedOperators.has(target.operator)) return;
      yield* following(this.#par(target.p1, pattern.p1, captured), (state) => this.#par(target.p2, pattern.p2, state));
    }
  }

  #step(): void {
    this.#stepsLeft -= 1;
    if (this.#stepsLeft < 0) throw new TooLong();
  }
}
