import {
  anyConnectiveUsed,
  equalBundle,
  equalMatch,
  equalNew,
  equalPar,
  equalPars,
  equalReceive,
  equalReceiveBind,
  equalSend,
  equalUnforgeable,
  type KeyValuePair,
  type MatchCase,
  type Par,
  type ReceiveBind,
  unionOfLocallyFree,
} from "@vedette/terms";
import { type Alternatives, following, none } from "./alternatives.js";
import { type Captured, isClosedPar } from "./plainTerms.js";

/** How one kind of element is matched. */
export interface ElementKind<T> {
  readonly isPattern: (element: T) => boolean;
  readonly isClosed: (element: T) => boolean;
  readonly equal: (left: T, right: T) => boolean;
  readonly match: (target: T, pattern: T, captured: Captured) => Alternatives;
}

/** The operations on a list of elements of one kind. */
export interface ListMatch<T> {
  readonly kind: ElementKind<T>;
  readonly setField: (par: Par, list: readonly T[]) => Par;
  readonly level: number | undefined;
  readonly isWild: boolean;
}

/** How what an element consists of is matched. */
export interface PartSearch {
  par(target: Par, pattern: Par, captured: Captured): Alternatives;
  /** One by one, in order. */
  folded(targets: readonly Par[], patterns: readonly Par[], captured: Captured): Alternatives;
  /** In any order. */
  list<T>(targets: readonly T[], patterns: readonly T[], how: ListMatch<T>, captured: Captured): Alternatives;
}

/** The kinds of elements that a process or a collection has. @spec 22 §1.9 */
export class ElementKinds {
  readonly #search: PartSearch;

  constructor(search: PartSearch) {
    this.#search = search;
  }

  readonly sends: ElementKind<Par["sends"][number]> = {
    isPattern: (send) => send.connectiveUsed,
    isClosed: (send) => send.locallyFree.length === 0,
    equal: equalSend,
    match: (target, pattern, captured) => {
      if (target.persistent !== pattern.persistent) return none();
      return following(this.#search.par(target.chan, pattern.chan, captured), (state) =>
        this.#search.folded(target.data, pattern.data, state),
      );
    },
  };

  readonly binds: ElementKind<ReceiveBind> = {
    isPattern: (bind) => bind.source.connectiveUsed,
    isClosed: (bind) => unionOfLocallyFree([bind.source, ...bind.patterns]).length === 0,
    equal: equalReceiveBind,
    match: (target, pattern, captured) =>
      equalPars(target.patterns, pattern.patterns) ? this.#search.par(target.source, pattern.source, captured) : none(),
  };

  readonly receives: ElementKind<Par["receives"][number]> = {
    isPattern: (receive) => receive.connectiveUsed,
    isClosed: (receive) => receive.locallyFree.length === 0,
    equal: equalReceive,
    match: (target, pattern, captured) => {
      if (target.persistent !== pattern.persistent) return none();
      const how = { kind: this.binds, setField: (par: Par) => par, level: undefined, isWild: false };
      return following(this.#search.list(target.binds, pattern.binds, how, captured), (state) =>
        this.#search.par(target.body, pattern.body, state),
      );
    },
  };

  readonly news: ElementKind<Par["news"][number]> = {
    isPattern: (fresh) => fresh.p.connectiveUsed,
    isClosed: (fresh) => fresh.locallyFree.length === 0,
    equal: equalNew,
    match: (target, pattern, captured) =>
      target.bindCount === pattern.bindCount ? this.#search.par(target.p, pattern.p, captured) : none(),
  };

  readonly matches: ElementKind<Par["matches"][number]> = {
    isPattern: (match) => match.connectiveUsed,
    isClosed: (match) => match.locallyFree.length === 0,
    equal: equalMatch,
    match: (target, pattern, captured) =>
      following(this.#search.par(target.target, pattern.target, captured), (state) =>
        this.#cases(target.cases, pattern.cases, state),
      ),
  };

  readonly bundles: ElementKind<Par["bundles"][number]> = {
    isPattern: () => false,
    isClosed: (bundle) => bundle.body.locallyFree.length === 0,
    equal: equalBundle,
    match: none,
  };

  readonly unforgeables: ElementKind<Par["unforgeables"][number]> = {
    isPattern: () => false,
    isClosed: () => true,
    equal: equalUnforgeable,
    match: none,
  };

  readonly pairs: ElementKind<KeyValuePair> = {
    isPattern: ({ key, value }) => anyConnectiveUsed([key, value]),
    isClosed: ({ key, value }) => unionOfLocallyFree([key, value]).length === 0,
    equal: (left, right) => equalPar(left.key, right.key) && equalPar(left.value, right.value),
    match: (target, pattern, captured) =>
      following(this.#search.par(target.key, pattern.key, captured), (state) =>
        this.#search.par(target.value, pattern.value, state),
      ),
  };

  readonly pars: ElementKind<Par> = {
    isPattern: (par) => par.connectiveUsed,
    isClosed: isClosedPar,
    equal: equalPar,
    match: (target, pattern, captured) => this.#search.par(target, pattern, captured),
  };

  *#cases(targets: readonly MatchCase[], patterns: readonly MatchCase[], captured: Captured): Alternatives {
    const [target, ...targetsLeft] = targets;
    const [pattern, ...patternsLeft] = patterns;
    if (target === undefined && pattern === undefined) yield captured;
    if (target === undefined || pattern === undefined || !equalPar(target.pattern, pattern.pattern)) return;
    for (const state of this.#search.par(target.source, pattern.source, captured))
      yield* this.#cases(targetsLeft, patternsLeft, state);
  }
}
