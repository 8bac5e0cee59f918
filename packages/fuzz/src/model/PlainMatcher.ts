import {
  anyConnectiveUsed,
  type Connective,
  EList,
  type Expr,
  emptyBitSet,
  equalBundle,
  equalExpr,
  equalMatch,
  equalNew,
  equalPar,
  equalPars,
  equalReceive,
  equalReceiveBind,
  equalSend,
  equalUnforgeable,
  exprConnectiveUsed,
  exprLocallyFree,
  type KeyValuePair,
  type MatchCase,
  nil,
  Par,
  parOfExpr,
  type ReceiveBind,
  unionOfLocallyFree,
  type Var,
} from "@vedette/terms";
import { assignments } from "./assignments.js";
import { bounds, type Counts, kinds, partings, plus, sizes } from "./partings.js";
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

type Alternatives = Generator<Captured>;

/** The search is larger than what one wants to wait for. */
export class TooLong extends Error {}

/** How one kind of element is matched. */
interface ElementKind<T> {
  readonly isPattern: (element: T) => boolean;
  readonly isClosed: (element: T) => boolean;
  readonly equal: (left: T, right: T) => boolean;
  readonly match: (target: T, pattern: T, captured: Captured) => Alternatives;
}

interface ListMatch<T> {
  readonly kind: ElementKind<T>;
  readonly setField: (par: Par, list: readonly T[]) => Par;
  readonly level: number | undefined;
  readonly isWild: boolean;
}

/**
 * The spatial matcher as chapter 22 tells it: a depth-first search of all alternatives by generators, every state
 * immutable, nothing decided early and nothing remembered. Slow, and easy to compare with the text. @spec 22 §1
 */
export class PlainMatcher {
  #stepsLeft: number;

  constructor(mostSteps: number) {
    this.#stepsLeft = mostSteps;
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
        this.#list(rest.sends, pattern.sends, { ...list, kind: this.#sends, setField: field("sends") }, state),
      (rest, state) =>
        this.#list(
          rest.receives,
          pattern.receives,
          { ...list, kind: this.#receives, setField: field("receives") },
          state,
        ),
      (rest, state) =>
        this.#list(rest.news, pattern.news, { ...list, kind: this.#news, setField: field("news") }, state),
      (rest, state) => this.#list(rest.exprs, exprs, { ...list, kind: this.#exprs, setField: field("exprs") }, state),
      (rest, state) =>
        this.#list(rest.matches, pattern.matches, { ...list, kind: this.#matches, setField: field("matches") }, state),
      (rest, state) =>
        this.#list(rest.bundles, pattern.bundles, { ...list, kind: this.#bundles, setField: field("bundles") }, state),
      (rest, state) =>
        this.#list(
          rest.unforgeables,
          pattern.unforgeables,
          { ...list, kind: this.#unforgeables, setField: field("unforgeables") },
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
    const leastLater = later.reduce((sum, [least]) => plus(sum, least), facts.base);
    const mostLater = later.reduce((sum, [, most]) => plus(sum, most), facts.most);
    for (const [part, rest] of partings(target, facts.limits[at]!, [leastLater, mostLater])) {
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

  /** The rest of an ordered list is told beside the captures. @spec 22 §1.10 */
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

  readonly #sends: ElementKind<Par["sends"][number]> = {
    isPattern: (send) => send.connectiveUsed,
    isClosed: (send) => send.locallyFree.length === 0,
    equal: equalSend,
    match: (target, pattern, captured) => {
      if (target.persistent !== pattern.persistent) return none();
      return then(this.#par(target.chan, pattern.chan, captured), (state) =>
        this.#folded(target.data, pattern.data, state),
      );
    },
  };

  readonly #binds: ElementKind<ReceiveBind> = {
    isPattern: (bind) => bind.source.connectiveUsed,
    isClosed: (bind) => unionOfLocallyFree([bind.source, ...bind.patterns]).length === 0,
    equal: equalReceiveBind,
    match: (target, pattern, captured) =>
      equalPars(target.patterns, pattern.patterns) ? this.#par(target.source, pattern.source, captured) : none(),
  };

  readonly #receives: ElementKind<Par["receives"][number]> = {
    isPattern: (receive) => receive.connectiveUsed,
    isClosed: (receive) => receive.locallyFree.length === 0,
    equal: equalReceive,
    match: (target, pattern, captured) => {
      if (target.persistent !== pattern.persistent) return none();
      const how = { kind: this.#binds, setField: (par: Par) => par, level: undefined, isWild: false };
      return then(this.#list(target.binds, pattern.binds, how, captured), (state) =>
        this.#par(target.body, pattern.body, state),
      );
    },
  };

  readonly #news: ElementKind<Par["news"][number]> = {
    isPattern: (fresh) => fresh.p.connectiveUsed,
    isClosed: (fresh) => fresh.locallyFree.length === 0,
    equal: equalNew,
    match: (target, pattern, captured) =>
      target.bindCount === pattern.bindCount ? this.#par(target.p, pattern.p, captured) : none(),
  };

  readonly #matches: ElementKind<Par["matches"][number]> = {
    isPattern: (match) => match.connectiveUsed,
    isClosed: (match) => match.locallyFree.length === 0,
    equal: equalMatch,
    match: (target, pattern, captured) =>
      then(this.#par(target.target, pattern.target, captured), (state) =>
        this.#cases(target.cases, pattern.cases, state),
      ),
  };

  *#cases(targets: readonly MatchCase[], patterns: readonly MatchCase[], captured: Captured): Alternatives {
    const [target, ...targetsLeft] = targets;
    const [pattern, ...patternsLeft] = patterns;
    if (target === undefined && pattern === undefined) yield captured;
    if (target === undefined || pattern === undefined || !equalPar(target.pattern, pattern.pattern)) return;
    for (const state of this.#par(target.source, pattern.source, captured))
      yield* this.#cases(targetsLeft, patternsLeft, state);
  }

  readonly #bundles: ElementKind<Par["bundles"][number]> = {
    isPattern: () => false,
    isClosed: (bundle) => bundle.body.locallyFree.length === 0,
    equal: equalBundle,
    match: none,
  };

  readonly #unforgeables: ElementKind<Par["unforgeables"][number]> = {
    isPattern: () => false,
    isClosed: () => true,
    equal: equalUnforgeable,
    match: none,
  };

  readonly #pairs: ElementKind<KeyValuePair> = {
    isPattern: ({ key, value }) => anyConnectiveUsed([key, value]),
    isClosed: ({ key, value }) => unionOfLocallyFree([key, value]).length === 0,
    equal: (left, right) => equalPar(left.key, right.key) && equalPar(left.value, right.value),
    match: (target, pattern, captured) =>
      then(this.#par(target.key, pattern.key, captured), (state) => this.#par(target.value, pattern.value, state)),
  };

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
      yield* this.#list(target.ps, pattern.ps, { ...ofRemainder(pattern), kind: this.#pars, setField }, captured);
    } else if (target.kind === "EMap" && pattern.kind === "EMap") {
      const setField = (par: Par, list: readonly KeyValuePair[]) => Par.of({ ...plain(par), exprs: [mapOf(list)] });
      yield* this.#list(target.kvs, pattern.kvs, { ...ofRemainder(pattern), kind: this.#pairs, setField }, captured);
    } else if (target.kind === "EVar" && pattern.kind === "EVar") {
      if (equalExpr(target, pattern)) yield captured;
    } else if (target.kind === "EUnary" && pattern.kind === "EUnary") {
      if (target.operator === pattern.operator) yield* this.#par(target.p, pattern.p, captured);
    } else if (target.kind === "EBinary" && pattern.kind === "EBinary") {
      if (target.operator !== pattern.operator || !matchedOperators.has(target.operator)) return;
      yield* then(this.#par(target.p1, pattern.p1, captured), (state) => this.#par(target.p2, pattern.p2, state));
    }
  }

  readonly #pars: ElementKind<Par> = {
    isPattern: (par) => par.connectiveUsed,
    isClosed: isClosedPar,
    equal: equalPar,
    match: (target, pattern, captured) => this.#par(target, pattern, captured),
  };

  #step(): void {
    this.#stepsLeft -= 1;
    if (this.#stepsLeft < 0) throw new TooLong();
  }
}

function hasAny(alternatives: Alternatives): boolean {
  return alternatives.next().done !== true;
}

function* none(): Alternatives {}

function* then(first: Alternatives, second: (captured: Captured) => Alternatives): Alternatives {
  for (const captured of first) yield* second(captured);
}

function* chained(
  found: Generator<[Par, Captured]>,
  next: (rest: Par, captured: Captured) => Alternatives,
): Generator<[Par, Captured]> {
  for (const [rest, captured] of found) for (const state of next(rest, captured)) yield [rest, state];
}
