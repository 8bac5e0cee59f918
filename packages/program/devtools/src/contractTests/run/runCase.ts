import {
  type CaseStep,
  type ContractCase,
  type ContractProgram,
  DeployTracer,
  fillTestMacros,
  type ProgramCoverage,
  type ProgramResult,
  runProgram,
  type TestState,
  type TraceSource,
  type TraceStep,
} from "@vedette/execution";
import { languageOf } from "@vedette/language";
import { InterpreterError } from "@vedette/rholang";
import { equalPar, GInt, GString, type Par } from "@vedette/terms";
import type { CheckKind } from "../assertions.js";
import { placeChecks } from "./placeChecks.js";
import type { TestDialect } from "./TestDialect.js";

/** The fault of a case. */
export interface CaseProblem {
  readonly message: string;
  readonly expected?: string;
  readonly actual?: string;
  /** In the file of the case, counted from 1. */
  readonly line: number;
  readonly column?: number;
}

/** Source of a step: a place of the file, where it has one. */
export interface CaseStepSource {
  readonly kind: TraceSource["kind"];
  readonly line: number | null;
  readonly column: number | null;
}

/** A step of the program that failed, with places of the file. */
export interface CaseTraceStep extends Omit<TraceStep, "phlo" | "source" | "senders" | "receiver"> {
  readonly phlo: number;
  readonly source: CaseStepSource;
  readonly senders: readonly CaseStepSource[];
  readonly receiver: CaseStepSource | null;
}

/** The result of a case. */
export interface CaseResult {
  readonly problems: readonly CaseProblem[];
  /** The phlo of all its programs. */
  readonly phlo: bigint;
  /** The output of its programs, the first lines of it. */
  readonly printed: readonly string[];
  /** The last steps of the program that failed. */
  readonly trace?: readonly CaseTraceStep[];
}

/** The context in which a case runs. */
export interface CaseContext {
  readonly deployed: Deployed;
  readonly dialect: TestDialect;
  readonly coverage?: ProgramCoverage | undefined;
}

/** Values that replace `$$deployed$$` and `$$deployed 2$$`. */
export type Deployed = readonly string[];

const maxPrinted = 100;
const maxSteps = 12;

/** Runs the programs of a case one after another, as long as nothing is wrong. */
export function runCase(
  genesis: TestState,
  { steps }: ContractCase,
  { deployed, dialect, coverage }: CaseContext,
): CaseResult {
  let state = genesis;
  let phlo = 0n;
  const printed: string[] = [];
  for (const step of steps) {
    const program = { ...step.program, source: fill(step.program, step.program.source, deployed) };
    const output = (stream: string, term: Par) => {
      if (printed.length < maxPrinted) printed.push(`${stream}: ${dialect.print(term)}`);
    };
    const result = runProgram(state, program, { output, tracer: coverage?.tracer() });
    phlo += result.cost;
    if (!isAsSaid(step, result, dialect)) {
      const prefixLength = fill(step.program, step.prefix, deployed).length;
      const run = { step, program, prefixLength, dialect };
      const { steps: trace, failedAt } = traceOf(run, state);
      return { problems: problemsOf(run, state, result, failedAt), phlo, printed, trace };
    }
    state = result.state;
  }
  return { problems: [], phlo, printed };
}

function fill(program: ContractProgram, source: string, deployed: Deployed): string {
  const given = source.replace(/\$\$deployed(?: (\d+))?\$\$/g, (whole, number = "1") => {
    const value = deployed[Number(number) - 1];
    if (value === undefined)
      throw new Error(`${whole}: no deploy of the file sent this many values to its deploy's id`);
    return value;
  });
  return fillTestMacros({ ...program, source: given });
}

function isAsSaid({ checks, fails }: CaseStep, { errors, messages }: ProgramResult, { print }: TestDialect): boolean {
  if (fails === undefined ? errors.length > 0 : !errors.join("\n").includes(fails)) return false;
  if (checks === undefined ? messages.length === 0 : messages.length !== checks) return false;
  return messages.every((message) => problemOf(message, print) === undefined);
}

interface FilePlace {
  readonly line: number;
  readonly column?: number;
}

interface RunStep {
  readonly step: CaseStep;
  readonly program: ContractProgram;
  /** The length of the text before the case's own text. */
  readonly prefixLength: number;
  readonly dialect: TestDialect;
}

/** Runs the step again, with places, and returns every problem that it finds. */
function problemsOf(
  run: RunStep,
  state: TestState,
  result: ProgramResult,
  failedAt: FilePlace | undefined,
): CaseProblem[] {
  const { step, program, dialect } = run;
  const { checks, fails } = step;
  const nowhere = { line: step.line };
  if (result.errors.length > 0 && fails === undefined)
    return [{ message: result.errors.join("\n"), ...(failedAt ?? placeOfError(run)) }];
  if (fails !== undefined && !result.errors.join("\n").includes(fails)) {
    const actual = result.errors.join("\n") || "no error";
    return [{ message: "It should fail with another error", expected: fails, actual, ...nowhere }];
  }
  const { messages } = runProgram(state, { ...program, source: placeChecks(program.source, languageOf(dialect.name)) });
  const wrong = messages.flatMap((message) => {
    const problem = problemOf(message, dialect.print);
    const offset = message[2]?.exprs[0];
    const place = offset instanceof GInt && offset.value >= 0n ? placeOf(run, Number(offset.value)) : nowhere;
    return problem === undefined ? [] : [{ ...problem, ...place }];
  });
  const wanted = checks ?? Math.max(1, messages.length);
  if (messages.length === wanted) return wrong;
  const expected = checks === undefined ? "at least one check" : `${checks} ${checks === 1 ? "check" : "checks"}`;
  const actual = `${messages.length}${messages.length > 0 ? `: ${messages.map((message) => printAll(message, dialect.print)).join(" and ")}` : ""}`;
  return [...wrong, { message: "Another number of checks was sent", expected, actual, ...nowhere }];
}

/** @returns the fault of a check, without its place */
function problemOf(message: readonly Par[], print: TestDialect["print"]): Omit<CaseProblem, "line"> | undefined {
  const [actual, expected, , kindPar] = message;
  if (actual === undefined || expected === undefined || message.length > 4)
    return { message: `A check is a message of two values, not ${printAll(message, print)}` };
  const kindExpr = kindPar?.exprs[0];
  const kind = kindExpr instanceof GString ? (kindExpr.value as CheckKind) : "equal";
  const isEqual = equalPar(actual, expected);
  if (kind === "differ")
    return isEqual ? { message: "Two values are equal", expected: "another value", actual: print(actual) } : undefined;
  if (kind === "silent") return { message: "There was an answer", expected: "no answer", actual: print(actual) };
  if (isEqual) return undefined;
  const [shown, wanted] = [print(actual), print(expected)];
  const message_ = shown === wanted ? "Two different processes are printed alike" : "Two values differ";
  return { message: message_, expected: wanted, actual: shown };
}

function printAll(pars: readonly Par[], print: TestDialect["print"]): string {
  return `(${pars.map((par) => print(par)).join(", ")})`;
}

/** Where a program that does not compile has its error; otherwise where its text begins. */
function placeOfError(run: RunStep): { readonly line: number; readonly column?: number } {
  try {
    run.dialect.compile(run.program.source);
  } catch (error) {
    const at = error instanceof InterpreterError && "at" in error.failure ? error.failure.at : undefined;
    const { source } = run.program;
    if (at?.offset !== undefined) return placeOf(run, languageOf(run.dialect.name).placeOf(source, at.offset));
  }
  return { line: run.step.line };
}

/** Runs the step again, step by step: its last ones, and where a send or receive came to no operation. */
function traceOf(run: RunStep, state: TestState) {
  const tracer = new DeployTracer(run.dialect.trial.execution);
  runProgram(state, run.program, { tracer });
  const { steps, unfinished } = tracer.take();
  const sourceOf = (source: TraceSource): CaseStepSource => {
    const offset = source.kind === "program" ? source.place?.offset : undefined;
    // The wrapper around the case is not in its text.
    if (offset === undefined || offset < run.prefixLength) return { kind: source.kind, line: null, column: null };
    const { line, column = null } = placeOf(run, offset);
    return { kind: source.kind, line, column };
  };
  const shown = steps.map(
    ({ phlo, source, senders, receiver, ...facts }): CaseTraceStep => ({
      ...facts,
      phlo: Number(phlo),
      source: sourceOf(source),
      senders: senders.map(sourceOf),
      receiver: receiver === undefined ? null : sourceOf(receiver),
    }),
  );
  // Steps of the assertion library itself are not part of the case.
  const own = shown.filter(({ source, senders, receiver }) =>
    [source, ...senders, receiver].some((one) => one !== null && one.line !== null),
  );
  const failed = unfinished.find((place) => place !== undefined && place.offset >= run.prefixLength);
  return { steps: own.slice(-maxSteps), failedAt: failed === undefined ? undefined : placeOf(run, failed.offset) };
}

/** Turns an offset in a program into a place of the file. */
function placeOf({ step, program, prefixLength }: RunStep, offset: number): FilePlace {
  if (offset < prefixLength) return { line: step.line };
  const lines = program.source.slice(prefixLength, offset).split("\n");
  return { line: step.line + lines.length - 1, column: lines.at(-1)!.length + 1 };
}
