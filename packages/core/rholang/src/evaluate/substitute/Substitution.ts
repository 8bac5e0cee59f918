import {
  Bundle,
  bitsBelow,
  EBinary,
  EList,
  EMatches,
  EMethod,
  ETuple,
  EUnary,
  type Expr,
  exprConnectiveUsed,
  exprLocallyFree,
  type KeyValuePair,
  Match,
  MatchCase,
  makeMap,
  makeSet,
  New,
  none,
  Par,
  Receive,
  ReceiveBind,
  rnodeAtoms,
  Send,
  unionBits,
} from "@vedette/terms";
import { hasOnlyExprs } from "../../match/hasOnlyExprs.js";
import type { Environment } from "../Environment.js";
import { isInert, isSingleBundle } from "./inert.js";
import { mapped } from "./mapped.js";
import { assembled, equalBits, replaceConnectives, replaceExprs, replacement } from "./replace.js";

/**
 * One substitution. Every function gives back its argument where nothing in it changes, so that what is known about
 * a term (size, sorted form, encoding) stays known.
 *
 * `shift` is the environment's shift at the place of the term: what it began with and the binders crossed since.
 *
 * @spec 21 §4
 */
export class Substitution {
  private readonly startShift: number;

  constructor(private readonly env: Environment) {
    this.startShift = env.shift;
  }

  /** The value of a bound variable at a place with this shift. */
  valueOf(index: number, shift: number): Par | undefined {
    return this.env.get(index - (shift - this.startShift));
  }

  /** @spec 21 §4.1 */
  par(term: Par, depth: number, shift: number): Par {
    return isInert(term, depth, shift) ? term : this.reactive(term, depth, shift);
  }

  /** A Par that is not known to stay as it is. */
  reactive(term: Par, depth: number, shift: number): Par {
    if (term.connectives.length > 0 || term.exprs.length > 1) return this.mixed(term, depth, shift);
    const expr = term.exprs[0];
    if (expr === undefined) return this.processes(term, depth, shift);
    return hasOnlyExprs(term) ? this.single(term, expr, depth, shift) : this.mixed(term, depth, shift);
  }

  /** Any Par. @spec 21 §4.1 */
  private mixed(term: Par, depth: number, shift: number): Par {
    const exprs = replaceExprs(this, term.exprs, depth, shift);
    const connectives = replaceConnectives(this, term.connectives, depth, shift);
    return assembled(term, this.processes(term, depth, shift), exprs, connectives);
  }

  /** A Par as if it had neither expressions nor connectives: those stay as they are. */
  private processes(term: Par, depth: number, shift: number): Par {
    const sends = mapped(term.sends, this.send, this, depth, shift);
    const receives = mapped(term.receives, this.receive, this, depth, shift);
    const news = mapped(term.news, this.new, this, depth, shift);
    const matches = mapped(term.matches, this.match, this, depth, shift);
    const bundles = mapped(term.bundles, this.bundle, this, depth, shift);
    const free = bitsBelow(term.locallyFree, shift);
    const same =
      sends === term.sends &&
      receives === term.receives &&
      news === term.news &&
      matches === term.matches &&
      bundles === term.bundles &&
      free === term.locallyFree;
    if (same) return term;
    const { exprs, unforgeables, connectives, connectiveUsed } = term;
    // biome-ignore format: the arguments in one row, as in the class
    return new Par(sends, receives, news, exprs, matches, unforgeables, bundles, connectives, free, connectiveUsed);
  }

  /** A Par of one expression, the most frequent kind. */
  private single(term: Par, expr: Expr, depth: number, shift: number): Par {
    const free = bitsBelow(term.locallyFree, shift);
    const isVariable = expr.kind === "EVar" && depth === 0;
    const value = isVariable ? replacement(this, expr, shift) : undefined;
    if (value !== undefined) return free.length === 0 && !term.connectiveUsed ? value : this.mixed(term, depth, shift);
    const result = this.expr(expr, depth, shift);
    const locallyFree = unionBits(free, exprLocallyFree(result, depth));
    const connectiveUsed = term.connectiveUsed || exprConnectiveUsed(result);
    const same = result === expr && connectiveUsed === term.connectiveUsed;
    if (same && equalBits(locallyFree, term.locallyFree)) return term;
    return new Par(none, none, none, [result], none, none, none, none, locallyFree, connectiveUsed);
  }

  pars(terms: readonly Par[], depth: number, shift: number): readonly Par[] {
    return mapped(terms, this.par, this, depth, shift);
  }

  /** @spec 21 §4.2 */
  expr(expr: Expr, depth: number, shift: number): Expr {
    switch (expr.kind) {
      case "EUnary": {
        const p = this.par(expr.p, depth, shift);
        return p === expr.p ? expr : new EUnary(expr.operator, p);
      }
      case "EBinary": {
        const p1 = this.par(expr.p1, depth, shift);
        const p2 = this.par(expr.p2, depth, shift);
        return p1 === expr.p1 && p2 === expr.p2 ? expr : new EBinary(expr.operator, p1, p2);
      }
      case "EMatches": {
        // Quirk 21 §4.2: the pattern is substituted at the depth of the target, not one further in.
        const target = this.par(expr.target, depth, shift);
        const pattern = this.par(expr.pattern, depth, shift);
        return target === expr.target && pattern === expr.pattern ? expr : new EMatches(target, pattern);
      }
      case "EList":
      case "ETuple":
      case "ESet":
      case "EMap":
      case "EMethod":
        return this.composed(expr, depth, shift);
      default:
        return expr;
    }
  }

  private composed(
    expr: Extract<Expr, { kind: "EList" | "ETuple" | "ESet" | "EMap" | "EMethod" }>,
    depth: number,
    shift: number,
  ): Expr {
    const free = bitsBelow(expr.locallyFree, shift);
    const used = expr.connectiveUsed;
    const sameFree = free === expr.locallyFree;
    if (expr.kind === "EMethod") {
      const target = this.par(expr.target, depth, shift);
      const args = this.pars(expr.args, depth, shift);
      if (sameFree && target === expr.target && args === expr.args) return expr;
      return new EMethod(expr.methodName, target, args, free, used);
    }
    if (expr.kind === "EMap") {
      const { kvs } = makeMap(mapped(expr.kvs, this.entry, this, depth, shift), free, used, undefined, rnodeAtoms);
      return sameFree && kvs === expr.kvs ? expr : makeMap(kvs, free, used, expr.remainder, rnodeAtoms);
    }
    const ps = this.pars(expr.ps, depth, shift);
    if (expr.kind === "ESet") {
      const set = makeSet(ps, free, used, expr.remainder, rnodeAtoms);
      return sameFree && set.ps === expr.ps ? expr : set;
    }
    if (sameFree && ps === expr.ps) return expr;
    return expr.kind === "EList" ? new EList(ps, free, used, expr.remainder) : new ETuple(ps, free, used);
  }

  private entry(entry: KeyValuePair, depth: number, shift: number): KeyValuePair {
    const key = this.par(entry.key, depth, shift);
    const value = this.par(entry.value, depth, shift);
    return key === entry.key && value === entry.value ? entry : { key, value };
  }

  private send(send: Send, depth: number, shift: number): Send {
    const chan = this.par(send.chan, depth, shift);
    const data = this.pars(send.data, depth, shift);
    const free = bitsBelow(send.locallyFree, shift);
    if (chan === send.chan && data === send.data && free === send.locallyFree) return send;
    return new Send(chan, data, send.persistent, free, send.connectiveUsed);
  }

  private receive(receive: Receive, depth: number, shift: number): Receive {
    const binds = mapped(receive.binds, this.bind, this, depth, shift);
    const body = this.par(receive.body, depth, shift + receive.bindCount);
    const free = bitsBelow(receive.locallyFree, shift);
    if (binds === receive.binds && body === receive.body && free === receive.locallyFree) return receive;
    const { persistent, peek, bindCount, connectiveUsed } = receive;
    return new Receive(binds, body, persistent, peek, bindCount, free, connectiveUsed);
  }

  private bind(bind: ReceiveBind, depth: number, shift: number): ReceiveBind {
    const source = this.par(bind.source, depth, shift);
    const patterns = this.pars(bind.patterns, depth + 1, shift);
    if (source === bind.source && patterns === bind.patterns) return bind;
    return new ReceiveBind(patterns, source, bind.remainder, bind.freeCount);
  }

  private new(term: New, depth: number, shift: number): New {
    const p = this.par(term.p, depth, shift + term.bindCount);
    const free = bitsBelow(term.locallyFree, shift);
    if (p === term.p && free === term.locallyFree) return term;
    return new New(term.bindCount, p, term.uri, term.injections, free);
  }

  private match(match: Match, depth: number, shift: number): Match {
    const target = this.par(match.target, depth, shift);
    const cases = mapped(match.cases, this.case, this, depth, shift);
    const free = bitsBelow(match.locallyFree, shift);
    if (target === match.target && cases === match.cases && free === match.locallyFree) return match;
    return new Match(target, cases, free, match.connectiveUsed);
  }

  private case(one: MatchCase, depth: number, shift: number): MatchCase {
    const source = this.par(one.source, depth, shift + one.freeCount);
    const pattern = this.par(one.pattern, depth + 1, shift);
    if (source === one.source && pattern === one.pattern) return one;
    return new MatchCase(pattern, source, one.freeCount);
  }

  /** A bundle right inside a bundle becomes one with it. @spec 21 §3.8 */
  private bundle(bundle: Bundle, depth: number, shift: number): Bundle {
    const body = this.par(bundle.body, depth, shift);
    if (isSingleBundle(body)) {
      const inner = body.bundles[0]!;
      return new Bundle(inner.body, bundle.writeFlag && inner.writeFlag, bundle.readFlag && inner.readFlag);
    }
    return body === bundle.body ? bundle : new Bundle(body, bundle.writeFlag, bundle.readFlag);
  }
}
