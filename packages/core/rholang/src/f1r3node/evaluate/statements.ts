import type { F1r3nodeRandom } from "@vedette/crypto";
import {
  BindPattern,
  type Expr,
  type If,
  isNil,
  ListParWithRandom,
  type Match,
  type New,
  nil,
  Par,
  ParContinuation,
  ParWithRandom,
  type Receive,
  type Send,
} from "@vedette/terms";
import { matchEvalCost, newBindingsCost, receiveEvalCost, sendEvalCost } from "../../cost/costs.js";
import type { Environment } from "../../evaluate/Environment.js";
import { singleBundle } from "../../evaluate/reduce/bundle.js";
import { putNames } from "../../evaluate/reduce/putNames.js";
import { evalF1r3nodeExpr, F1r3nodeEvaluator } from "../expression/F1r3nodeEvaluator.js";
import { f1r3nodeError, f1r3nodeReduceError } from "../f1r3nodeError.js";
import { guardIsTrue } from "../guard/evalGuard.js";
import { matchF1r3nodePar } from "../match/matchF1r3nodePar.js";
import { substituteAndCharge, substituteNoSortAndCharge } from "../substitute/f1r3nodeSubstitute.js";
import { f1r3nodeUrns } from "../system/f1r3nodeChannels.js";
import type { F1r3nodeReduction } from "./F1r3nodeWork.js";
import { conditionType, onlyBool } from "./onlyBool.js";
import { consume, produce } from "./operations.js";

const noPeeks: readonly number[] = [];

/** `channel!(data…)`, `channel!!(data…)`. @spec 21 §3.4, 61 §6.2 */
export function reduceSend(reduction: F1r3nodeReduction, term: Send, env: Environment, random: F1r3nodeRandom): void {
  const { phlo } = reduction.surroundings;
  phlo.begin(term, sendEvalCost);
  const channel = writable(substituteAndCharge(evalF1r3nodeExpr(term.chan, env, phlo), 0, env, phlo));
  const data = term.data.map((datum) => substituteAndCharge(evalF1r3nodeExpr(datum, env, phlo), 0, env, phlo));
  produce(reduction, channel, new ListParWithRandom(data, random.toBytes()), term.persistent, undefined);
}

function writable(channel: Par): Par {
  const bundle = singleBundle(channel);
  if (bundle === undefined) return channel;
  if (!bundle.writeFlag) throw f1r3nodeReduceError("Trying to send on non-writeable channel.");
  return bundle.body;
}

function readable(channel: Par): Par {
  const bundle = singleBundle(channel);
  if (bundle === undefined) return channel;
  if (!bundle.readFlag) throw f1r3nodeReduceError("Trying to read from non-readable channel.");
  return bundle.body;
}

/** `for (binds where guard) { body }`, `contract`. @spec 21 §3.5, 61 §6.2 */
export function reduceReceive(
  reduction: F1r3nodeReduction,
  term: Receive,
  env: Environment,
  random: F1r3nodeRandom,
): void {
  const { phlo } = reduction.surroundings;
  phlo.begin(term, receiveEvalCost);
  // Quirk 61 §6.2: at the depth of a pattern, so that variables from outside the receive are not replaced.
  const guard = hasGuard(term.condition) ? substituteAndCharge(term.condition, 1, env, phlo) : undefined;
  const channels: Par[] = [];
  const patterns: BindPattern[] = [];
  for (const bind of term.binds) {
    channels.push(readable(substituteAndCharge(evalF1r3nodeExpr(bind.source, env, phlo), 0, env, phlo)));
    const substituted = bind.patterns.map((pattern) => substituteAndCharge(pattern, 1, env, phlo));
    patterns.push(new BindPattern(substituted, bind.remainder, bind.freeCount));
  }
  const body = substituteNoSortAndCharge(term.body, 0, env.shifted(term.bindCount), phlo);
  consume(
    reduction,
    {
      channels,
      patterns,
      continuation: new ParContinuation(new ParWithRandom(body, random.toBytes()), guard),
      persistent: term.persistent,
      peeks: term.peek ? channels.map((_, index) => index) : noPeeks,
    },
    undefined,
  );
}

/** An empty guard is none. */
function hasGuard(guard: Par | undefined): guard is Par {
  return guard !== undefined && !isNil(guard);
}

/** `match target { pattern where guard => body … }`: the first case that fits runs. @spec 21 §3.7, 61 §6.2 */
export function reduceMatch(reduction: F1r3nodeReduction, term: Match, env: Environment, random: F1r3nodeRandom): void {
  const { phlo, meter } = reduction.surroundings;
  phlo.charge(matchEvalCost);
  const target = substituteAndCharge(evalF1r3nodeExpr(term.target, env, phlo), 0, env, phlo);
  for (const one of term.cases) {
    const pattern = substituteAndCharge(one.pattern, 1, env, phlo);
    const bindings = matchF1r3nodePar(target, pattern, meter);
    if (bindings === undefined) continue;
    const bound: Par[] = [];
    for (let level = 0; level < one.freeCount; level += 1) bound.push(bindings.get(level) ?? nil);
    const inner = env.putAll(bound);
    if (hasGuard(one.guard) && !guardIsTrue(one.guard, inner)) continue;
    reduction.schedule(one.source, inner, random);
    return;
  }
}

/** `if (condition) P else Q`. @spec 61 §6.2 */
export function reduceConditional(
  reduction: F1r3nodeReduction,
  term: If,
  env: Environment,
  random: F1r3nodeRandom,
): void {
  const { phlo } = reduction.surroundings;
  phlo.charge(matchEvalCost);
  const condition = substituteAndCharge(evalF1r3nodeExpr(term.condition, env, phlo), 0, env, phlo);
  const holds = onlyBool(condition);
  if (holds === undefined) {
    const text = `Error: \`if\` condition must evaluate to a boolean, but got ${conditionType(condition)}.`;
    throw f1r3nodeError("IfConditionTypeError", text);
  }
  reduction.schedule(holds ? term.ifTrue : term.ifFalse, env, random);
}

/** `new x, y(`uri`) in { body }`. @spec 21 §3.3, 61 §6.2 */
export function reduceNew(reduction: F1r3nodeReduction, term: New, env: Environment, random: F1r3nodeRandom): void {
  reduction.surroundings.phlo.charge(newBindingsCost(term.bindCount));
  const { uri } = term;
  const names = putNames(env, Math.max(term.bindCount - uri.length, 0), random);
  const fixed = uri.map((urn) => valueOfUrn(urn, term.injections));
  reduction.schedule(term.p, names.putAll(fixed), random);
}

function valueOfUrn(urn: string, injections: ReadonlyMap<string, Par>): Par {
  const fixed = f1r3nodeUrns.get(urn);
  if (fixed !== undefined) return fixed;
  const injected = injections.get(urn);
  if (injected === undefined)
    throw f1r3nodeError(
      "BugFoundError",
      `No value set for ${urn}. This is a bug in the normalizer or on the path from it.`,
    );
  const { unforgeables, exprs } = injected;
  if (unforgeables.length === 1 && isNil(Par.of({ ...injected, unforgeables: [] }))) return Par.of({ unforgeables });
  if (exprs.length === 1 && isNil(Par.of({ ...injected, exprs: [] }))) return Par.of({ exprs });
  throw f1r3nodeError("BugFoundError", "invalid injection");
}

/** `*x` and a method call as processes: the value runs. @spec 21 §3.9 */
export function reduceValue(reduction: F1r3nodeReduction, expr: Expr, env: Environment, random: F1r3nodeRandom): void {
  const evaluator = new F1r3nodeEvaluator(env, reduction.surroundings.phlo);
  if (expr.kind === "EVar") reduction.schedule(evaluator.variable(expr.v), env, random);
  else if (expr.kind === "EMethod") reduction.schedule(evaluator.method(expr), env, random);
}
