import type { Random, SplittableRandom } from "@vedette/crypto";
import { countingWork, type Par } from "@vedette/terms";
import type { Space } from "@vedette/tuplespace";
import { compile } from "../compile.js";
import { ChargingSpace } from "../cost/ChargingSpace.js";
import { parsingCost } from "../cost/costs.js";
import { Phlo } from "../cost/Phlo.js";
import { type ChargeTrace, TracedPhlo } from "../cost/TracedPhlo.js";
import { InterpreterError, isLimitOfMachine } from "../InterpreterError.js";
import { disabledServices, type ExternalServices } from "../system/ExternalServices.js";
import { type BlockData, type DeployData, factsAtRest, type OutputSink } from "../system/SystemFacts.js";
import { type Budget, budgetMeter, StoppedError, type StopReason } from "./Budget.js";
import { Environment } from "./Environment.js";
import { Reducer } from "./Reducer.js";

/**
 * The input of an evaluation: a program's text, or a term that was compiled before (which pays nothing for parsing).
 */
export type Program =
  | { readonly source: string; readonly environment: ReadonlyMap<string, Par> }
  | { readonly par: Par };

/** Everything that an evaluation depends on. @spec 21 §1.1 */
export interface Evaluation<Generator extends Random<Generator> = SplittableRandom> {
  readonly program: Program;
  /** The built-in processes are installed in it already. */
  readonly space: Space;
  /** A signed 64-bit number. */
  readonly phloLimit: bigint;
  /** Advanced by the evaluation. */
  readonly random: Generator;
  /** A tuple that begins with this name is a mergeable channel. */
  readonly mergeableTag: Par;
  /** Whether the space replays a log; then nothing outside is called. */
  readonly replay: boolean;
  /** Left out: the values at rest (21 §7.3). */
  readonly blockData?: BlockData | undefined;
  readonly deployData?: DeployData | undefined;
  readonly invalidBlocks?: Par | undefined;
  /** Left out: what programs write is dropped. */
  readonly output?: OutputSink | undefined;
  /** Left out: all disabled. */
  readonly services?: ExternalServices | undefined;
  /** Left out: nothing but phlo bounds the evaluation. */
  readonly budget?: Budget | undefined;
  /** Left out: no steps are reported. */
  readonly trace?: EvaluationTrace | undefined;
}

/** Receives the steps of an evaluation. */
export interface EvaluationTrace extends ChargeTrace {
  /** Compiles in the place of {@link compile}, to the same term; left out: that does. */
  compile?(source: string, environment: ReadonlyMap<string, Par>, maxTokens: number | undefined): Par;
}

/**
 * How an evaluation ended.
 *
 * - `evaluated`: the result that a deploy has; it failed when there are errors.
 * - `fatal`: rnode throws an exception there that its interpreter does not know, so that the block cannot
 *   be made (21 §9.3). Such a deploy has no result.
 * - `stopped`: the {@link Budget} is used up.
 * - `broken`: this machine could not go on (a damaged store, a stack that is too small); nothing is known of the
 *   program.
 *
 * @spec 21 §1.3, §1.4
 */
export type EvaluateResult =
  | {
      readonly kind: "evaluated";
      readonly cost: bigint;
      readonly errors: readonly InterpreterError[];
      /** Channels with numbers that are added up in a merge; empty when there are errors. */
      readonly mergeable: readonly Par[];
      /** Channels with bits that are joined in a merge, on f1r3node networks. @spec 61 §12.2 */
      readonly bitmasks: readonly Par[];
    }
  | { readonly kind: "fatal"; readonly cause: Error }
  | { readonly kind: "stopped"; readonly reason: StopReason }
  | { readonly kind: "broken"; readonly cause: Error };

/**
 * Evaluates a program on a tuple space. Never throws. What a failed evaluation leaves in the space is for the
 * caller to revert.
 *
 * @spec 21 §1.3, §1.4, 22 §4.9
 */
export function evaluate(evaluation: Evaluation): EvaluateResult {
  const { phloLimit, trace, budget } = evaluation;
  const phlo = trace === undefined ? new Phlo(phloLimit) : new TracedPhlo(phloLimit, trace);
  const meter = budget === undefined ? undefined : budgetMeter(budget);
  phlo.meter = meter;
  try {
    return countingWork(meter, () => {
      const par = prepare(evaluation, phlo);
      return par instanceof InterpreterError ? refused(par, evaluation.program, phlo) : run(evaluation, par, phlo);
    });
  } catch (error) {
    if (error instanceof StoppedError) return { kind: "stopped", reason: error.failure.code };
    return { kind: "broken", cause: machineFault(error) };
  }
}

/** Pays for the text and compiles it. */
function prepare({ program, trace, budget }: Evaluation, phlo: Phlo): Par | InterpreterError {
  if ("par" in program) return program.par;
  try {
    phlo.charge(parsingCost(program.source));
    const { source, environment } = program;
    return trace?.compile?.(source, environment, budget?.maxTokens) ?? compile(source, environment, budget?.maxTokens);
  } catch (error) {
    if (error instanceof InterpreterError && !isLimitOfMachine(error)) return error;
    throw error;
  }
}

/** Quirk 21 §1.4: a program that is refused costs its parsing alone, unless the phlo did not last for that. */
function refused(error: InterpreterError, program: Program, phlo: Phlo): EvaluateResult {
  const isOutOfPhlo = error.failure.class === "OutOfPhlogistonsError";
  const cost = isOutOfPhlo || !("source" in program) ? phlo.limit : BigInt(parsingCost(program.source));
  return { kind: "evaluated", cost, errors: [error], mergeable: [], bitmasks: [] };
}

function run(evaluation: Evaluation, par: Par, phlo: Phlo): EvaluateResult {
  const { replay, mergeableTag, budget, services = disabledServices } = evaluation;
  const facts = {
    blockData: evaluation.blockData ?? factsAtRest.blockData,
    deployData: evaluation.deployData ?? factsAtRest.deployData,
    invalidBlocks: evaluation.invalidBlocks ?? factsAtRest.invalidBlocks,
    output: evaluation.output,
  };
  const space = new ChargingSpace(evaluation.space, phlo);
  const reducer = new Reducer({ space, phlo, facts, services, replay, mergeableTag, budget, meter: phlo.meter });
  const error = reducer.run(par, Environment.empty, evaluation.random);
  if (error === undefined)
    return { kind: "evaluated", cost: phlo.used, errors: [], mergeable: reducer.mergeable, bitmasks: [] };
  return failed(error, phlo);
}

/** The rows of 21 §1.4, in their order. @spec 21 §1.4 */
function failed(error: Error, phlo: Phlo): EvaluateResult {
  if (!(error instanceof InterpreterError)) return { kind: "fatal", cause: error };
  const { failure } = error;
  switch (failure.class) {
    case "NonDeterministicProcessFailure":
    case "CanNotReplayFailedNonDeterministicProcess":
    case "UserAbortError":
      return { kind: "evaluated", cost: phlo.used, errors: [error], mergeable: [], bitmasks: [] };
    case "AggregateError":
      if (failure.fatal.length > 0) return { kind: "fatal", cause: error };
      return { kind: "evaluated", cost: phlo.limit, errors: failure.errors, mergeable: [], bitmasks: [] };
    default:
      // Quirk 21 §1.4: an ordinary error costs the whole limit, like running out of phlo.
      return { kind: "evaluated", cost: phlo.limit, errors: [error], mergeable: [], bitmasks: [] };
  }
}

function machineFault(error: unknown): Error {
  if (error instanceof RangeError && error.message.includes("call stack"))
    return new InterpreterError({ class: "NestedTooDeeply", during: "evaluating it" }, { cause: error });
  return error instanceof Error ? error : new Error(String(error));
}
