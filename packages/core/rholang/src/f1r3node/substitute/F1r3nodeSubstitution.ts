import {
  type BitSet,
  Bundle,
  type Connective,
  ConnectiveAnd,
  ConnectiveNot,
  ConnectiveOr,
  EBinary,
  EList,
  EMatches,
  EMethod,
  ETuple,
  EUnary,
  type Expr,
  exprConnectiveUsed,
  exprIndices,
  f1r3nodeTerms,
  If,
  type KeyValuePair,
  Match,
  MatchCase,
  New,
  none,
  Par,
  Receive,
  ReceiveBind,
  Send,
  uniteIndices,
  type Var,
} from "@vedette/terms";
import type { Environment } from "../../evaluate/Environment.js";
import { isSingleBundle } from "../../evaluate/substitute/inert.js";
import { mapped } from "../../evaluate/substitute/mapped.js";
import { equalBits, type Replaced } from "../../evaluate/substitute/replace.js";
import { f1r3nodeError } from "../f1r3nodeError.js";
import { assembled, indicesBelow, isOneExpr, Replacing } from "./parts.js";
import { reachOf, settle, unknownReach } from "./settled.js";

/** Below any excess that a place can have. */
const noExcess = -0x7fffffff;
/** Marks results that depend on more than the shift. */
const endlessExcess = 0x3fffffff;

/**
 * One substitution, as f1r3node does it. Every function gives back its argument where nothing in it changes.
 *
 * `shift` is the environment's shift at the place of the term: what it began with and the binders crossed since.
 *
 * PERF: what is made of a term without a value for any of its variables is remembered with it, so that of the text of
 * a contract, which comes again and again, most is passed over.
 *
 * @spec 21 §4, 61 §6.2
 */
export class F1r3nodeSubstitution {
  private readonly startShift: number;
  /**
   * By how much the shift is too small, at the places seen since the term began that is worked on, for the result to
   * depend on it no more; 0 or less where it does not depend on it. Binders do not change it, as they count for both.
   */
  private excess = noExcess;

  constructor(private readonly env: Environment) {
    this.startShift = env.shift;
  }

  par(term: Par, depth: number, shift: number): Par {
    const known = reachOf(term, depth);
    if (known !== unknownReach && known <= shift) {
      this.exceed(known - shift);
      return term.cachedSubstituted!;
    }
    const outer = this.excess;
    this.excess = noExcess;
    const result = this.substituted(term, depth, shift);
    const { excess } = this;
    if (excess <= 0) settle(term, depth, Math.max(0, excess + shift), result);
    if (outer > excess) this.excess = outer;
    return result;
  }

  private exceed(excess: number): void {
    if (excess > this.excess) this.excess = excess;
  }

  private substituted(term: Par, depth: number, shift: number): Par {
    if (term.connectives.length > 0 || term.exprs.length > 1) return this.mixed(term, depth, shift);
    const expr = term.exprs[0];
    if (expr === undefined) return this.processes(term, depth, shift);
    return isOneExpr(term) ? this.single(term, expr, depth, shift) : this.mixed(term, depth, shift);
  }

  private mixed(term: Par, depth: number, shift: number): Par {
    const exprs = this.exprs(term.exprs, depth, shift);
    const connectives = this.connectives(term.connectives, depth, shift);
    return assembled(term, this.processes(term, depth, shift), exprs, connectives);
  }

  /** A Par of one expression, the most frequent kind. */
  private single(term: Par, expr: Expr, depth: number, shift: number): Par {
    const free = this.indicesBelow(term.locallyFree, shift);
    const value = expr.kind === "EVar" && depth === 0 ? this.variable(expr.v, shift) : undefined;
    if (value !== undefined) return free.length === 0 && !term.connectiveUsed ? value : this.mixed(term, depth, shift);
    const result = this.expr(expr, depth, shift);
    const locallyFree = uniteIndices(free, exprIndices(result, depth));
    const used = term.connectiveUsed || exprConnectiveUsed(result);
    const same = result === expr && used === term.connectiveUsed;
    if (same && equalBits(locallyFree, term.locallyFree)) return term;
    return new Par(none, none, none, [result], none, none, none, none, locallyFree, used);
  }

  private indicesBelow(indices: BitSet, shift: number): BitSet {
    this.exceed(indices.length - shift);
    return indicesBelow(indices, shift);
  }

  private valueOf(index: number, shift: number): Par | undefined {
    this.exceed(index + 1 - shift);
    return this.env.get(index - (shift - this.startShift));
  }

  private exprs(exprs: readonly Expr[], depth: number, shift: number): Replaced<Expr> {
    const replacing = new Replacing(exprs);
    for (const expr of exprs) {
      const value = expr.kind === "EVar" && depth === 0 ? this.variable(expr.v, shift) : undefined;
      if (value !== undefined) replacing.value(value);
      else replacing.expr(this.expr(expr, depth, shift), expr, depth);
    }
    return replacing.result();
  }

  private variable(v: Var, shift: number): Par | undefined {
    if (v.kind === "BoundVar") return this.valueOf(v.index, shift);
    throw f1r3nodeError("SubstituteError", `Illegal Substitution [${describeVar(v)}]`);
  }

  private connectives(connectives: readonly Connective[], depth: number, shift: number): Replaced<Connective> {
    const replacing = new Replacing(connectives);
    for (const connective of connectives) {
      const isReference = connective.kind === "VarRef" && connective.depth === depth;
      // The result of substituting a reference depends on its depth.
      if (connective.kind === "VarRef") this.exceed(endlessExcess);
      const value = isReference ? this.valueOf(connective.index, shift) : undefined;
      if (value !== undefined) replacing.value(value);
      else replacing.connective(this.connective(connective, depth, shift), connective, depth);
    }
    return replacing.result();
  }

  private connective(connective: Connective, depth: number, shift: number): Connective {
    switch (connective.kind) {
      case "ConnectiveAnd": {
        const ps = this.pars(connective.ps, depth, shift);
        return ps === connective.ps ? connective : new ConnectiveAnd(ps);
      }
      case "ConnectiveOr": {
        const ps = this.pars(connective.ps, depth, shift);
        return ps === connective.ps ? connective : new ConnectiveOr(ps);
      }
      case "ConnectiveNot": {
        const body = this.par(connective.body, depth, shift);
        return body === connective.body ? connective : new ConnectiveNot(body);
      }
      default:
        return connective;
    }
  }

  /** A Par as if it had neither expressions nor connectives: those stay as they are. */
  private processes(term: Par, depth: number, shift: number): Par {
    const sends = mapped(term.sends, this.send, this, depth, shift);
    const receives = mapped(term.receives, this.receive, this, depth, shift);
    const news = mapped(term.news, this.new, this, depth, shift);
    const matches = mapped(term.matches, this.match, this, depth, shift);
    const bundles = mapped(term.bundles, this.bundle, this, depth, shift);
    const conditionals = mapped(term.conditionals, this.conditional, this, depth, shift);
    const free = this.indicesBelow(term.locallyFree, shift);
    const same =
      sends === term.sends &&
      receives === term.receives &&
      news === term.news &&
      matches === term.matches &&
      bundles === term.bundles &&
      conditionals === term.conditionals &&
      free === term.locallyFree;
    if (same) return term;
    const { exprs, unforgeables, connectives, connectiveUsed: used } = term;
    // biome-ignore format: the arguments in one row, as in the class
    return new Par(sends, receives, news, exprs, matches, unforgeables, bundles, connectives, free, used, conditionals);
  }

  private pars(terms: readonly Par[], depth: number, shift: number): readonly Par[] {
    return mapped(terms, this.par, this, depth, shift);
  }

  private expr(expr: Expr, depth: number, shift: number): Expr {
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
        // Quirk 61 §6.2: path maps and zippers stay as they are, variables in them too.
        return expr;
    }
  }

  private composed(
    expr: Extract<Expr, { kind: "EList" | "ETuple" | "ESet" | "EMap" | "EMethod" }>,
    depth: number,
    shift: number,
  ): Expr {
    const free = this.indicesBelow(expr.locallyFree, shift);
    const used = expr.connectiveUsed;
    const sameFree = free === expr.locallyFree;
    if (expr.kind === "EMethod") {
      const target = this.par(expr.target, depth, shift);
      const args = this.pars(expr.args, depth, shift);
      if (sameFree && target === expr.target && args === expr.args) return expr;
      return new EMethod(expr.methodName, target, args, free, used);
    }
    if (expr.kind === "EMap") {
      const kvs = mapped(expr.kvs, this.entry, this, depth, shift);
      const map = f1r3nodeTerms.makeMap(kvs, free, used, expr.remainder);
      if (map.kvs !== kvs) this.exceed(endlessExcess);
      return sameFree && map.kvs === expr.kvs ? expr : map;
    }
    const ps = this.pars(expr.ps, depth, shift);
    if (expr.kind === "ESet") {
      const set = f1r3nodeTerms.makeSet(ps, free, used, expr.remainder);
      if (set.ps !== ps) this.exceed(endlessExcess);
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
    const free = this.indicesBelow(send.locallyFree, shift);
    if (chan === send.chan && data === send.data && free === send.locallyFree) return send;
    return new Send(chan, data, send.persistent, free, send.connectiveUsed);
  }

  private receive(receive: Receive, depth: number, shift: number): Receive {
    const inner = shift + receive.bindCount;
    const binds = mapped(receive.binds, this.bind, this, depth, shift);
    const body = this.par(receive.body, depth, inner);
    const condition = receive.condition === undefined ? undefined : this.par(receive.condition, depth, inner);
    const free = this.indicesBelow(receive.locallyFree, shift);
    const same = binds === receive.binds && body === receive.body && condition === receive.condition;
    if (same && free === receive.locallyFree) return receive;
    const { persistent, peek, bindCount, connectiveUsed } = receive;
    return new Receive(binds, body, persistent, peek, bindCount, free, connectiveUsed, condition);
  }

  private bind(bind: ReceiveBind, depth: number, shift: number): ReceiveBind {
    const source = this.par(bind.source, depth, shift);
    const patterns = this.pars(bind.patterns, depth + 1, shift);
    if (source === bind.source && patterns === bind.patterns) return bind;
    return new ReceiveBind(patterns, source, bind.remainder, bind.freeCount);
  }

  private new(term: New, depth: number, shift: number): New {
    const p = this.par(term.p, depth, shift + term.bindCount);
    const free = this.indicesBelow(term.locallyFree, shift);
    if (p === term.p && free === term.locallyFree) return term;
    return new New(term.bindCount, p, term.uri, term.injections, free);
  }

  private match(match: Match, depth: number, shift: number): Match {
    const target = this.par(match.target, depth, shift);
    const cases = mapped(match.cases, this.case, this, depth, shift);
    const free = this.indicesBelow(match.locallyFree, shift);
    if (target === match.target && cases === match.cases && free === match.locallyFree) return match;
    return new Match(target, cases, free, match.connectiveUsed);
  }

  private case(one: MatchCase, depth: number, shift: number): MatchCase {
    const inner = shift + one.freeCount;
    const source = this.par(one.source, depth, inner);
    const pattern = this.par(one.pattern, depth + 1, shift);
    const guard = one.guard === undefined ? undefined : this.par(one.guard, depth, inner);
    if (source === one.source && pattern === one.pattern && guard === one.guard) return one;
    return new MatchCase(pattern, source, one.freeCount, guard);
  }

  private conditional(term: If, depth: number, shift: number): If {
    const condition = this.par(term.condition, depth, shift);
    const ifTrue = this.par(term.ifTrue, depth, shift);
    const ifFalse = this.par(term.ifFalse, depth, shift);
    const free = this.indicesBelow(term.locallyFree, shift);
    const same = condition === term.condition && ifTrue === term.ifTrue && ifFalse === term.ifFalse;
    if (same && free === term.locallyFree) return term;
    return new If(condition, ifTrue, ifFalse, free, term.connectiveUsed);
  }

  /** A bundle right inside a bundle becomes one with it, even with conditionals beside it. @spec 21 §3.8 */
  private bundle(bundle: Bundle, depth: number, shift: number): Bundle {
    const body = this.par(bundle.body, depth, shift);
    if (isSingleBundle(body)) {
      const inner = body.bundles[0]!;
      return new Bundle(inner.body, bundle.writeFlag && inner.writeFlag, bundle.readFlag && inner.readFlag);
    }
    return body === bundle.body ? bundle : new Bundle(body, bundle.writeFlag, bundle.readFlag);
  }
}

/** As f1r3node's debug form shows it. */
function describeVar(v: Var): string {
  switch (v.kind) {
    case "FreeVar":
      return `Var { var_instance: Some(FreeVar(${v.index})) }`;
    case "Wildcard":
      return "Var { var_instance: Some(Wildcard(WildcardMsg)) }";
    default:
      return "Var { var_instance: None }";
  }
}
