import type { F1r3nodeRandom } from "@vedette/crypto";
import type { Expr, Par } from "@vedette/terms";
import type { Environment } from "../../evaluate/Environment.js";
import { f1r3nodeReduceError } from "../f1r3nodeError.js";
import { panic } from "../Panic.js";
import type { ErrorScope } from "./ErrorTree.js";
import type { F1r3nodeReduction, F1r3nodeWork, TaskGroup, TaskPlace } from "./F1r3nodeWork.js";
import { reduceConditional, reduceMatch, reduceNew, reduceReceive, reduceSend, reduceValue } from "./statements.js";

const maxTerms = 32767;
const maxByteSplits = 256;
/** Quirk 61 §6.1: the index of a byte split is a signed byte. */
const maxSafeSplits = 128;

/**
 * Runs a Par: its only term is part of what runs now, several are tasks of their own.
 *
 * @throws {InterpreterError} `ReduceError` when there are more terms than 32767; {Panic} for 129 to 256
 * @spec 61 §6.1
 */
export function schedulePar(par: Par, env: Environment, random: F1r3nodeRandom, reduction: F1r3nodeReduction): void {
  const count = termCount(par);
  if (count === 0) return;
  if (count > maxTerms)
    throw f1r3nodeReduceError(`The number of terms in the Par is ${count}, which exceeds the limit of ${maxTerms}`);
  if (count > maxSafeSplits && count <= maxByteSplits) throw panic("the index of a split is beyond a signed byte");
  const terms = new Terms(par, env, random, count);
  if (count === 1) reduction.push(new TermWork(terms, 0, reduction.place));
  else reduction.start(count, (scope) => new TermTasks(terms, scope));
}

function termCount(par: Par): number {
  const { sends, receives, news, matches, bundles, conditionals, exprs } = par;
  let count = sends.length + receives.length + news.length + matches.length + bundles.length + conditionals.length;
  for (let i = 0; i < exprs.length; i += 1) if (runs(exprs[i]!)) count += 1;
  return count;
}

function runs(expr: Expr): boolean {
  return expr.kind === "EVar" || expr.kind === "EMethod";
}

/** The terms of a Par, in the order of their indices. */
class Terms {
  private runnable: readonly Expr[] | undefined;

  constructor(
    private readonly par: Par,
    private readonly env: Environment,
    private readonly random: F1r3nodeRandom,
    readonly count: number,
  ) {}

  run(reduction: F1r3nodeReduction, index: number): void {
    const { sends, receives, news, matches, bundles, conditionals } = this.par;
    const { env } = this;
    const random = this.randomOf(index);
    let i = index;
    if (i < sends.length) reduceSend(reduction, sends[i]!, env, random);
    else if ((i -= sends.length) < receives.length) reduceReceive(reduction, receives[i]!, env, random);
    else if ((i -= receives.length) < news.length) reduceNew(reduction, news[i]!, env, random);
    else if ((i -= news.length) < matches.length) reduceMatch(reduction, matches[i]!, env, random);
    else if ((i -= matches.length) < conditionals.length) reduceConditional(reduction, conditionals[i]!, env, random);
    else if ((i -= conditionals.length) < bundles.length) reduction.schedule(bundles[i]!.body, env, random);
    else {
      this.runnable ??= this.par.exprs.filter(runs);
      reduceValue(reduction, this.runnable[i - bundles.length]!, env, random);
    }
  }

  private randomOf(index: number): F1r3nodeRandom {
    if (this.count === 1) return this.random;
    return this.count <= maxByteSplits ? this.random.splitByte(index) : this.random.splitShort(index);
  }
}

/** One of the terms of a Par. */
class TermWork implements F1r3nodeWork {
  constructor(
    private readonly terms: Terms,
    private readonly index: number,
    readonly place: TaskPlace,
  ) {}

  run(reduction: F1r3nodeReduction): void {
    this.terms.run(reduction, this.index);
  }
}

/** The terms of a Par as tasks, made when their turn comes. */
class TermTasks implements TaskGroup {
  private next = 0;
  private end: number;

  constructor(
    private readonly terms: Terms,
    private readonly scope: ErrorScope,
  ) {
    this.end = terms.count;
  }

  takeNext(): F1r3nodeWork | undefined {
    if (this.next >= this.end) return undefined;
    this.next += 1;
    return this.at(this.next - 1);
  }

  takeLast(): F1r3nodeWork {
    this.end -= 1;
    return this.at(this.end);
  }

  private at(index: number): F1r3nodeWork {
    return new TermWork(this.terms, index, { scope: this.scope, index, isTask: true });
  }
}
