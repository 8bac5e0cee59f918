import {
  type BitSet,
  type Bundle,
  type Connective,
  type Expr,
  emptyBitSet,
  type Match,
  type New,
  nil,
  Par,
  type Receive,
  type Send,
  unionBits,
} from "@vedette/terms";

const none: readonly never[] = [];

/**
 * Collects the parallel parts of one process. The reference puts each new part in front of its list; here it goes
 * to the end, and `finish` turns the lists round.
 *
 * @spec 20 §6.1, §6.2
 * @cost constant for each part, whatever their number
 */
export class ParBuilder {
  private sends: Send[] | undefined = undefined;
  private receives: Receive[] | undefined = undefined;
  private news: New[] | undefined = undefined;
  private exprs: Expr[] | undefined = undefined;
  private matches: Match[] | undefined = undefined;
  /** Matches that stand behind all others, in order. */
  private lastMatches: Match[] | undefined = undefined;
  private bundles: Bundle[] | undefined = undefined;
  private connectives: Connective[] | undefined = undefined;
  private locallyFree: BitSet = emptyBitSet;
  private connectiveUsed = false;

  addSend(send: Send): void {
    (this.sends ??= []).push(send);
    this.use(send.locallyFree, send.connectiveUsed);
  }

  addReceive(receive: Receive): void {
    (this.receives ??= []).push(receive);
    this.use(receive.locallyFree, receive.connectiveUsed);
  }

  addNew(added: New): void {
    (this.news ??= []).push(added);
    this.use(added.locallyFree, added.p.connectiveUsed);
  }

  /** The flags are the caller's, since those of a variable depend on the depth of patterns. */
  addExpr(expr: Expr, locallyFree: BitSet, connectiveUsed: boolean): void {
    (this.exprs ??= []).push(expr);
    this.use(locallyFree, connectiveUsed);
  }

  addMatch(match: Match): void {
    (this.matches ??= []).push(match);
    this.use(match.locallyFree, match.connectiveUsed);
  }

  /** Quirk 20 §7.13: an `if` goes behind what was there, not in front of it. */
  addMatchLast(match: Match): void {
    (this.lastMatches ??= []).push(match);
    this.use(match.locallyFree, match.connectiveUsed);
  }

  /** Quirk 20 §6.2: a bundle does not pass `connectiveUsed` on. */
  addBundle(bundle: Bundle): void {
    (this.bundles ??= []).push(bundle);
    this.use(bundle.body.locallyFree, false);
  }

  /** Quirk 20 §6.2: what was collected in `locallyFree` before is lost. */
  addConnective(connective: Connective, locallyFree: BitSet, connectiveUsed: boolean): void {
    (this.connectives ??= []).push(connective);
    this.locallyFree = locallyFree;
    if (connectiveUsed) this.connectiveUsed = true;
  }

  /** Puts the parts of a finished process in front. Nothing that the compiler makes holds unforgeable names. */
  addPar(par: Par): void {
    this.sends = inFront(this.sends, par.sends);
    this.receives = inFront(this.receives, par.receives);
    this.news = inFront(this.news, par.news);
    this.exprs = inFront(this.exprs, par.exprs);
    this.matches = inFront(this.matches, par.matches);
    this.bundles = inFront(this.bundles, par.bundles);
    this.connectives = inFront(this.connectives, par.connectives);
    this.use(par.locallyFree, par.connectiveUsed);
  }

  private use(locallyFree: BitSet, connectiveUsed: boolean): void {
    this.locallyFree = unionBits(this.locallyFree, locallyFree);
    if (connectiveUsed) this.connectiveUsed = true;
  }

  /** The process; the builder is used up. */
  finish(): Par {
    const par = new Par(
      turned(this.sends),
      turned(this.receives),
      turned(this.news),
      turned(this.exprs),
      this.finishMatches(),
      none,
      turned(this.bundles),
      turned(this.connectives),
      this.locallyFree,
      this.connectiveUsed,
    );
    return isPlainNil(par) ? nil : par;
  }

  private finishMatches(): readonly Match[] {
    const first = turned(this.matches);
    if (this.lastMatches === undefined) return first;
    return first.length === 0 ? this.lastMatches : first.concat(this.lastMatches);
  }
}

function inFront<T>(list: T[] | undefined, added: readonly T[]): T[] | undefined {
  if (added.length === 0) return list;
  const result = list ?? [];
  for (let i = added.length - 1; i >= 0; i -= 1) result.push(added[i]!);
  return result;
}

function turned<T>(list: T[] | undefined): readonly T[] {
  if (list === undefined) return none;
  return list.length === 1 ? list : list.reverse();
}

function isPlainNil(par: Par): boolean {
  return (
    par.exprs.length === 0 &&
    par.sends.length === 0 &&
    par.receives.length === 0 &&
    par.news.length === 0 &&
    par.matches.length === 0 &&
    par.bundles.length === 0 &&
    par.connectives.length === 0 &&
    par.locallyFree.length === 0 &&
    !par.connectiveUsed
  );
}

/** The process that is one expression. */
export function parOfExpr(expr: Expr, locallyFree: BitSet, connectiveUsed: boolean): Par {
  return new Par(none, none, none, [expr], none, none, none, none, locallyFree, connectiveUsed);
}
