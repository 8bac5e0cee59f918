import { type BitSet, emptyBitSet, unionBits } from "../model/BitSet.js";
import {
  type Bundle,
  type Connective,
  type Expr,
  isNil,
  type Match,
  type New,
  nil,
  none,
  Par,
  type Receive,
  type Send,
} from "../model/Par.js";
import { checkPartCount } from "../model/TermLimitError.js";
import type { Unforgeable } from "../model/Unforgeable.js";

/**
 * Collects the parallel parts of one process. rnode puts each new part in front of its list; here it goes
 * to the end, and `build` turns the lists round.
 *
 * @spec 20 §6.1, §6.2, 21 §3.2
 * @cost constant for each part, whatever their number
 */
export class ParBuilder {
  // Back to front: the last element is the first of the Par's list.
  private sends: Send[] | undefined = undefined;
  private receives: Receive[] | undefined = undefined;
  private news: New[] | undefined = undefined;
  private exprs: Expr[] | undefined = undefined;
  private matches: Match[] | undefined = undefined;
  /** Matches that come after all others, in order. */
  private lastMatches: Match[] | undefined = undefined;
  private unforgeables: Unforgeable[] | undefined = undefined;
  private bundles: Bundle[] | undefined = undefined;
  private connectives: Connective[] | undefined = undefined;
  private locallyFree: BitSet = emptyBitSet;
  private connectiveUsed = false;

  addSend(send: Send): void {
    (this.sends ??= []).push(send);
    this.addFlags(send.locallyFree, send.connectiveUsed);
  }

  addReceive(receive: Receive): void {
    (this.receives ??= []).push(receive);
    this.addFlags(receive.locallyFree, receive.connectiveUsed);
  }

  addNew(added: New): void {
    (this.news ??= []).push(added);
    this.addFlags(added.locallyFree, added.p.connectiveUsed);
  }

  /** The flags are the caller's, since those of a variable depend on the depth of patterns. */
  addExpr(expr: Expr, locallyFree: BitSet, connectiveUsed: boolean): void {
    (this.exprs ??= []).push(expr);
    this.addFlags(locallyFree, connectiveUsed);
  }

  addMatch(match: Match): void {
    (this.matches ??= []).push(match);
    this.addFlags(match.locallyFree, match.connectiveUsed);
  }

  /** Quirk 20 §7.13: an `if` goes behind what was there, not in front of it. */
  addMatchLast(match: Match): void {
    (this.lastMatches ??= []).push(match);
    this.addFlags(match.locallyFree, match.connectiveUsed);
  }

  /** Quirk 20 §6.2: a bundle does not pass `connectiveUsed` on. */
  addBundle(bundle: Bundle): void {
    (this.bundles ??= []).push(bundle);
    this.addFlags(bundle.body.locallyFree, false);
  }

  /** Quirk 20 §6.2: what was collected in `locallyFree` before is lost. */
  addConnective(connective: Connective, locallyFree: BitSet, connectiveUsed: boolean): void {
    (this.connectives ??= []).push(connective);
    this.locallyFree = locallyFree;
    if (connectiveUsed) this.connectiveUsed = true;
  }

  /**
   * Appends `par` to the collected terms.
   *
   * Quirk 21 §3.2: in every list the terms of `par` come before the present ones.
   *
   * @spec 21 §3.2
   * @throws {TermLimitError} `tooManyParts`
   */
  append(par: Par): void {
    this.sends = inFront(this.sends, par.sends);
    this.receives = inFront(this.receives, par.receives);
    this.news = inFront(this.news, par.news);
    this.exprs = inFront(this.exprs, par.exprs);
    this.matches = inFront(this.matches, par.matches);
    this.unforgeables = inFront(this.unforgeables, par.unforgeables);
    this.bundles = inFront(this.bundles, par.bundles);
    this.connectives = inFront(this.connectives, par.connectives);
    this.addFlags(par.locallyFree, par.connectiveUsed);
  }

  /** The process; the builder is used up. */
  build(): Par {
    const par = new Par(
      turned(this.sends),
      turned(this.receives),
      turned(this.news),
      turned(this.exprs),
      this.allMatches(),
      turned(this.unforgeables),
      turned(this.bundles),
      turned(this.connectives),
      this.locallyFree,
      this.connectiveUsed,
    );
    return this.locallyFree.length === 0 && !this.connectiveUsed && isNil(par) ? nil : par;
  }

  private allMatches(): readonly Match[] {
    const first = turned(this.matches);
    if (this.lastMatches === undefined) return first;
    return first.length === 0 ? this.lastMatches : first.concat(this.lastMatches);
  }

  private addFlags(locallyFree: BitSet, connectiveUsed: boolean): void {
    this.locallyFree = unionBits(this.locallyFree, locallyFree);
    if (connectiveUsed) this.connectiveUsed = true;
  }
}

function inFront<Element>(list: Element[] | undefined, added: readonly Element[]): Element[] | undefined {
  if (added.length === 0) return list;
  const result = list ?? [];
  checkPartCount(result.length + added.length);
  for (let i = added.length - 1; i >= 0; i -= 1) result.push(added[i]!);
  return result;
}

function turned<Element>(list: Element[] | undefined): readonly Element[] {
  if (list === undefined) return none;
  return list.length === 1 ? list : list.reverse();
}
