import { exprConnectiveUsed } from "../identity/locallyFree.js";
import { type BitSet, emptyBitSet } from "../model/BitSet.js";
import {
  type Bundle,
  type Connective,
  type Expr,
  type If,
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
import { exprIndices } from "./exprIndices.js";
import { uniteIndices } from "./indexBytes.js";

/** Lists of a Par from the back to the front: added terms come first, which is the end of these. */
interface Lists {
  sends: Send[];
  receives: Receive[];
  news: New[];
  exprs: Expr[];
  matches: Match[];
  unforgeables: Par["unforgeables"][number][];
  bundles: Bundle[];
  connectives: Connective[];
  conditionals: If[];
}

/**
 * Collects the parallel parts of one process as f1r3node does, with its sets of free variables.
 *
 * @spec 61 §5
 * @cost constant for each part, whatever their number; a copy takes as long as there are parts
 */
export class F1r3nodeParBuilder {
  private locallyFree: BitSet = emptyBitSet;
  private connectiveUsed = false;
  private isEmpty = true;

  private lists: Lists = {
    sends: [],
    receives: [],
    news: [],
    exprs: [],
    matches: [],
    unforgeables: [],
    bundles: [],
    connectives: [],
    conditionals: [],
  };

  /** Returns a copy of the collected parts that is continued separately. */
  copy(): F1r3nodeParBuilder {
    const copy = new F1r3nodeParBuilder();
    if (this.isEmpty) return copy;
    const { sends, receives, news, exprs, matches, unforgeables, bundles, connectives, conditionals } = this.lists;
    copy.lists = {
      sends: sends.slice(),
      receives: receives.slice(),
      news: news.slice(),
      exprs: exprs.slice(),
      matches: matches.slice(),
      unforgeables: unforgeables.slice(),
      bundles: bundles.slice(),
      connectives: connectives.slice(),
      conditionals: conditionals.slice(),
    };
    copy.isEmpty = false;
    copy.addFlags(this.locallyFree, this.connectiveUsed);
    return copy;
  }

  /** Whether something was collected. */
  get hasParts(): boolean {
    return !this.isEmpty;
  }

  addSend(send: Send): void {
    this.lists.sends.push(send);
    this.addFlags(send.locallyFree, send.connectiveUsed);
  }

  addReceive(receive: Receive): void {
    this.lists.receives.push(receive);
    this.addFlags(receive.locallyFree, receive.connectiveUsed);
  }

  addNew(added: New): void {
    this.lists.news.push(added);
    this.addFlags(added.locallyFree, added.p.connectiveUsed);
  }

  /** @param depth of patterns */
  addExpr(expr: Expr, depth: number): void {
    this.lists.exprs.push(expr);
    this.addFlags(exprIndices(expr, depth), exprConnectiveUsed(expr));
  }

  addMatch(match: Match): void {
    this.lists.matches.push(match);
    this.addFlags(match.locallyFree, match.connectiveUsed);
  }

  addConditional(conditional: If): void {
    this.lists.conditionals.push(conditional);
    this.addFlags(conditional.locallyFree, conditional.connectiveUsed);
  }

  /** Quirk 20 §6.2: a bundle does not pass `connectiveUsed` on. */
  addBundle(bundle: Bundle): void {
    this.lists.bundles.push(bundle);
    this.addFlags(bundle.body.locallyFree, false);
  }

  /** Quirk 20 §6.2: what was collected in `locallyFree` before is lost. */
  addConnective(connective: Connective, locallyFree: BitSet, connectiveUsed: boolean): void {
    this.lists.connectives.push(connective);
    this.locallyFree = emptyBitSet;
    this.addFlags(locallyFree, connectiveUsed);
  }

  /**
   * Puts the parts of a process behind what was collected.
   *
   * @throws {TermLimitError} `tooManyParts`
   */
  append(par: Par): void {
    const { lists } = this;
    lists.sends = behind(lists.sends, par.sends);
    lists.receives = behind(lists.receives, par.receives);
    lists.news = behind(lists.news, par.news);
    lists.exprs = behind(lists.exprs, par.exprs);
    lists.matches = behind(lists.matches, par.matches);
    lists.unforgeables = behind(lists.unforgeables, par.unforgeables);
    lists.bundles = behind(lists.bundles, par.bundles);
    lists.connectives = behind(lists.connectives, par.connectives);
    lists.conditionals = behind(lists.conditionals, par.conditionals);
    this.addFlags(par.locallyFree, par.connectiveUsed);
  }

  /** The process; the builder is used up. */
  build(): Par {
    const { lists, locallyFree, connectiveUsed } = this;
    const par = new Par(
      turned(lists.sends),
      turned(lists.receives),
      turned(lists.news),
      turned(lists.exprs),
      turned(lists.matches),
      turned(lists.unforgeables),
      turned(lists.bundles),
      turned(lists.connectives),
      locallyFree,
      connectiveUsed,
      turned(lists.conditionals),
    );
    return locallyFree.length === 0 && !connectiveUsed && isNil(par) ? nil : par;
  }

  private addFlags(locallyFree: BitSet, connectiveUsed: boolean): void {
    this.isEmpty = false;
    this.locallyFree = uniteIndices(this.locallyFree, locallyFree);
    if (connectiveUsed) this.connectiveUsed = true;
  }
}

function behind<Element>(list: Element[], added: readonly Element[]): Element[] {
  if (added.length === 0) return list;
  checkPartCount(list.length + added.length);
  return added.slice().reverse().concat(list);
}

function turned<Element>(list: Element[]): readonly Element[] {
  if (list.length === 0) return none;
  return list.length === 1 ? list : list.reverse();
}
