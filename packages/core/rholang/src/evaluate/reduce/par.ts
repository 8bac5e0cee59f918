import type { SplittableRandom } from "@vedette/crypto";
import type { Expr, Par } from "@vedette/terms";
import { reduceError } from "../../InterpreterError.js";
import type { Environment } from "../Environment.js";
import type { Reducer } from "../Reducer.js";
import type { Work } from "../Work.js";
import type { CallQueue } from "./CallQueue.js";
import { reduceMatch } from "./match.js";
import { reduceNew } from "./new.js";
import { reduceEval, reduceMethod } from "./process.js";
import { reduceReceive } from "./receive.js";
import { reduceSend } from "./send.js";

const maxTerms = 32767;
const maxByteSplits = 256;
/** The lower bits of `cachedFacts` belong to the matcher and the substitution (match/parFacts). */
const countShift = 16;

/**
 * The terms of a Par, to be run one after the other.
 *
 * @returns `undefined` when nothing of it runs: values, names and connectives are ignored
 * @throws {InterpreterError} `ReduceError` when there are more terms than 32767
 * @spec 21 §1.6
 */
export function scheduledPar(par: Par, env: Environment, random: SplittableRandom): Work | undefined {
  const count = termCount(par);
  if (count === 0) return undefined;
  if (count > maxTerms)
    throw reduceError(`The number of terms in the Par is ${count}, which exceeds the limit of ${maxTerms}.`);
  return new ParWork(par, env, random, count);
}

/** Number of terms that run; up to the limit it is kept, plus one, in the upper half of `cachedFacts`. @spec 21 §1.6 */
function termCount(par: Par): number {
  const known = par.cachedFacts >>> countShift;
  if (known > 0) return known - 1;
  let count = par.sends.length + par.receives.length + par.news.length + par.matches.length + par.bundles.length;
  for (let i = 0; i < par.exprs.length; i += 1) if (runs(par.exprs[i]!)) count += 1;
  if (count <= maxTerms) par.cachedFacts |= (count + 1) << countShift;
  return count;
}

function runs(expr: Expr): boolean {
  return expr.kind === "EVar" || expr.kind === "EMethod";
}

/** A Par of which some terms have not run yet. */
export class ParWork implements Work {
  readonly kind = "branch";
  /** Built-in processes that its sends called; they lie below the Par itself. */
  calls: CallQueue | undefined = undefined;
  private next = 0;
  /** Where to look for the next expression that runs. */
  private nextExpr = 0;

  constructor(
    private readonly par: Par,
    private readonly env: Environment,
    private readonly random: SplittableRandom,
    private readonly count: number,
  ) {}

  run(reducer: Reducer): void {
    reducer.enterPar(this);
    const index = this.next;
    this.next = index + 1;
    if (this.next < this.count) reducer.push(this);
    this.runTerm(reducer, index, this.randomOf(index));
  }

  /** Quirk 21 §1.6: a single term gets the generator itself, and beyond 256 terms all indices are split as shorts. */
  private randomOf(index: number): SplittableRandom {
    if (this.count === 1) return this.random;
    return this.count <= maxByteSplits ? this.random.splitByte(index) : this.random.splitShort(index);
  }

  private runTerm(reducer: Reducer, index: number, random: SplittableRandom): void {
    const { sends, receives, news, matches, bundles } = this.par;
    const { env } = this;
    let i = index;
    if (i < sends.length) reduceSend(reducer, sends[i]!, env, random);
    else if ((i -= sends.length) < receives.length) reduceReceive(reducer, receives[i]!, env, random);
    else if ((i -= receives.length) < news.length) reduceNew(reducer, news[i]!, env, random);
    else if ((i -= news.length) < matches.length) reduceMatch(reducer, matches[i]!, env, random);
    // A bundle that runs is its body; its flags guard names only (21 §3.8).
    else if ((i -= matches.length) < bundles.length) reducer.schedule(bundles[i]!.body, env, random);
    else this.runExpr(reducer, random);
  }

  private runExpr(reducer: Reducer, random: SplittableRandom): void {
    const { exprs } = this.par;
    let expr = exprs[this.nextExpr];
    while (expr !== undefined && !runs(expr)) {
      this.nextExpr += 1;
      expr = exprs[this.nextExpr];
    }
    this.nextExpr += 1;
    if (expr?.kind === "EVar") reduceEval(reducer, expr, this.env, random);
    else if (expr?.kind === "EMethod") reduceMethod(reducer, expr, this.env, random);
  }
}
