import type { F1r3nodeRandom } from "@vedette/crypto";
import { countingWork, equalPar, type Par } from "@vedette/terms";
import { parsingCost } from "../../cost/costs.js";
import { budgetMeter, StoppedError } from "../../evaluate/Budget.js";
import { Environment } from "../../evaluate/Environment.js";
import type { EvaluateResult, Evaluation, Program } from "../../evaluate/evaluate.js";
import { InterpreterError, isLimitOfMachine } from "../../InterpreterError.js";
import { disabledServices } from "../../system/ExternalServices.js";
import { factsAtRest } from "../../system/SystemFacts.js";
import { F1r3nodeChargingSpace } from "../cost/F1r3nodeChargingSpace.js";
import { F1r3nodePhlo } from "../cost/F1r3nodePhlo.js";
import { f1r3nodeError } from "../f1r3nodeError.js";
import { f1r3nodeGrammar } from "../f1r3nodeGrammar.js";
import { Panic } from "../Panic.js";
import { bitmaskTag } from "../system/f1r3nodeChannels.js";
import type { MergeKind } from "./F1r3nodeEvaluationContext.js";
import { F1r3nodeReducer } from "./F1r3nodeReducer.js";

/**
 * Evaluates a program on a tuple space as f1r3node does. Never throws. What a failed evaluation leaves in the
 * space is for the caller to revert.
 *
 * @spec 21 §1.3, 61 §6, §7
 */
export function evaluateF1r3node(evaluation: Evaluation<F1r3nodeRandom>): EvaluateResult {
  const { phloLimit, trace, budget } = evaluation;
  const phlo = new F1r3nodePhlo(phloLimit, trace);
  phlo.meter = budget === undefined ? undefined : budgetMeter(budget);
  try {
    return countingWork(phlo.meter, () => {
      const par = prepare(evaluation, phlo);
      return par instanceof InterpreterError ? refused(par, evaluation, phlo) : run(evaluation, par, phlo);
    });
  } catch (error) {
    if (error instanceof StoppedError) return { kind: "stopped", reason: error.failure.code };
    return { kind: "broken", cause: machineFault(error) };
  }
}

/** Pays for the text and compiles it. */
function prepare({ program, trace, budget }: Evaluation<F1r3nodeRandom>, phlo: F1r3nodePhlo): Par | InterpreterError {
  if ("par" in program) return program.par;
  const { source, environment } = program;
  try {
    phlo.charge(parsingCost(source));
  } catch (error) {
    if (error instanceof InterpreterError) return error;
    throw error;
  }
  try {
    const compiled = trace?.compile?.(source, environment, budget?.maxTokens);
    return compiled ?? f1r3nodeGrammar.compile(source, environment, budget?.maxTokens);
  } catch (error) {
    if (!(error instanceof InterpreterError) || isLimitOfMachine(error)) throw error;
    // Quirk 61 §4: whatever is wrong with a program, it is reported as one kind of error.
    return f1r3nodeError("ParserError", error.message, { cause: error });
  }
}

/** A program that is refused costs its parsing alone, unless the phlo did not last for that. @spec 61 §6.5 */
function refused(error: InterpreterError, { program }: Evaluation<F1r3nodeRandom>, phlo: F1r3nodePhlo): EvaluateResult {
  const isOutOfPhlo = error.failure.class === "OutOfPhlogistonsError";
  return failedWith(error, isOutOfPhlo ? phlo.limit : parsingCostOf(program));
}

function parsingCostOf(program: Program): bigint {
  return "source" in program ? BigInt(parsingCost(program.source)) : 0n;
}

function failedWith(error: InterpreterError, cost: bigint): EvaluateResult {
  const { failure } = error;
  const errors = failure.class === "AggregateError" ? failure.errors : [error];
  return { kind: "evaluated", cost, errors, mergeable: [], bitmasks: [] };
}

function run(evaluation: Evaluation<F1r3nodeRandom>, par: Par, phlo: F1r3nodePhlo): EvaluateResult {
  const { replay, mergeableTag, budget, services = disabledServices } = evaluation;
  const facts = {
    blockData: evaluation.blockData ?? factsAtRest.blockData,
    deployData: evaluation.deployData ?? factsAtRest.deployData,
    invalidBlocks: evaluation.invalidBlocks ?? factsAtRest.invalidBlocks,
    output: evaluation.output,
  };
  const mergeKindOf = (tag: Par): MergeKind | undefined =>
    equalPar(tag, mergeableTag) ? "add" : equalPar(tag, bitmaskTag) ? "or" : undefined;
  const space = new F1r3nodeChargingSpace(evaluation.space, phlo);
  const { meter } = phlo;
  const reducer = new F1r3nodeReducer({ space, phlo, facts, services, replay, mergeKindOf, budget, meter });
  const error = reducer.run(par, Environment.empty, evaluation.random);
  if (error instanceof Panic) return { kind: "fatal", cause: error };
  if (error instanceof InterpreterError) return failedWith(error, costOf(error, evaluation, phlo));
  const used = reducer.mergeable;
  const mergeable = used.filter(({ kind }) => kind === "add").map(({ channel }) => channel);
  const bitmasks = used.filter(({ kind }) => kind === "or").map(({ channel }) => channel);
  return { kind: "evaluated", cost: phlo.used, errors: [], mergeable, bitmasks };
}

/** Returns the cost of a failed evaluation. @spec 61 §6.5 */
function costOf({ failure }: InterpreterError, { program }: Evaluation<F1r3nodeRandom>, phlo: F1r3nodePhlo): bigint {
  switch (failure.class) {
    case "UserAbortError":
    case "IfConditionTypeError":
      return phlo.used;
    case "OperatorNotDefined":
    case "OperatorExpectedError":
      // Quirk 61 §6.5: such an error costs no more than the parsing.
      return parsingCostOf(program);
    default:
      return phlo.limit;
  }
}

function machineFault(error: unknown): Error {
  if (error instanceof RangeError && error.message.includes("call stack"))
    return new InterpreterError({ class: "NestedTooDeeply", during: "evaluating it" }, { cause: error });
  return error instanceof Error ? error : new Error(String(error));
}
