import {
  connectiveLocallyFree,
  connectiveUsedBy,
  exprConnectiveUsed,
  exprLocallyFree,
} from "../identity/locallyFree.js";
import { type BitSet, emptyBitSet, unionBits } from "../model/BitSet.js";
import type { Bundle } from "../model/Bundle.js";
import type { Connective } from "../model/Connective.js";
import type { Expr } from "../model/Expr.js";
import type { Match } from "../model/Match.js";
import type { New } from "../model/New.js";
import { none, Par } from "../model/Par.js";
import type { Receive } from "../model/Receive.js";
import type { Send } from "../model/Send.js";
import { checkPartCount } from "../model/TermLimitError.js";
import type { Unforgeable } from "../model/Unforgeable.js";

/**
 * Collects the components of a Par by prepending, one after another, in constant time each. The result is that
 * of the functions of the same names in `concatPar.ts`. A list stays empty until something is put into it.
 *
 * @spec 20 §6.2, 21 §3.2
 */
export class ParBuilder {
  // Back to front: the last element is the first of the Par's list.
  private sends: Send[] | undefined = undefined;
  private receives: Receive[] | undefined = undefined;
  private news: New[] | undefined = undefined;
  private exprs: Expr[] | undefined = undefined;
  private matches: Match[] | undefined = undefined;
  private unforgeables: Unforgeable[] | undefined = undefined;
  private bundles: Bundle[] | undefined = undefined;
  private connectives: Connective[] | undefined = undefined;
  private locallyFree: BitSet = emptyBitSet;
  private connectiveUsed = false;

  prependSend(send: Send): void {
    (this.sends ??= []).push(send);
    this.addFlags(send.locallyFree, send.connectiveUsed);
  }

  prependReceive(receive: Receive): void {
    (this.receives ??= []).push(receive);
    this.addFlags(receive.locallyFree, receive.connectiveUsed);
  }

  prependNew(fresh: New): void {
    (this.news ??= []).push(fresh);
    this.addFlags(fresh.locallyFree, fresh.p.connectiveUsed);
  }

  prependExpr(expr: Expr, depth: number): void {
    (this.exprs ??= []).push(expr);
    this.addFlags(exprLocallyFree(expr, depth), exprConnectiveUsed(expr));
  }

  prependMatch(match: Match): void {
    (this.matches ??= []).push(match);
    this.addFlags(match.locallyFree, match.connectiveUsed);
  }

  prependUnforgeable(unforgeable: Unforgeable): void {
    (this.unforgeables ??= []).push(unforgeable);
  }

  /** Quirk 20 §6.2: a bundle does not mark the Par as a pattern. */
  prependBundle(bundle: Bundle): void {
    (this.bundles ??= []).push(bundle);
    this.addFlags(bundle.body.locallyFree, false);
  }

  /** Quirk 20 §6.2: what was collected about free variables is discarded. */
  prependConnective(connective: Connective, depth: number): void {
    (this.connectives ??= []).push(connective);
    this.locallyFree = connectiveLocallyFree(connective, depth);
    if (connectiveUsedBy(connective)) this.connectiveUsed = true;
  }

  /** What was collected `++ par`: the lists of `par` come to the front. @spec 21 §3.2 */
  append(par: Par): void {
    this.sends = pushedBackwards(this.sends, par.sends);
    this.receives = pushedBackwards(this.receives, par.receives);
    this.news = pushedBackwards(this.news, par.news);
    this.exprs = pushedBackwards(this.exprs, par.exprs);
    this.matches = pushedBackwards(this.matches, par.matches);
    this.unforgeables = pushedBackwards(this.unforgeables, par.unforgeables);
    this.bundles = pushedBackwards(this.bundles, par.bundles);
    this.connectives = pushedBackwards(this.connectives, par.connectives);
    this.addFlags(par.locallyFree, par.connectiveUsed);
  }

  /** The Par; the builder may go on collecting. */
  build(): Par {
    return new Par(
      reversed(this.sends),
      reversed(this.receives),
      reversed(this.news),
      reversed(this.exprs),
      reversed(this.matches),
      reversed(this.unforgeables),
      reversed(this.bundles),
      reversed(this.connectives),
      this.locallyFree,
      this.connectiveUsed,
    );
  }

  private addFlags(locallyFree: BitSet, connectiveUsed: boolean): void {
    this.locallyFree = unionBits(this.locallyFree, locallyFree);
    if (connectiveUsed) this.connectiveUsed = true;
  }
}

function pushedBackwards<Element>(list: Element[] | undefined, added: readonly Element[]): Element[] | undefined {
  if (added.length === 0) return list;
  const result = list ?? [];
  checkPartCount(result.length + added.length);
  for (let i = added.length - 1; i >= 0; i -= 1) result.push(added[i]!);
  return result;
}

function reversed<Element>(list: Element[] | undefined): readonly Element[] {
  return list === undefined ? none : list.toReversed();
}
