import type { DialectName } from "@vedette/config";
import { type F1r3nodeRandom, type Random, type SplittableRandom, toHex } from "@vedette/crypto";
import { type ExecutionDialect, f1r3nodeExecution, mergeableTag, rnodeExecution } from "@vedette/execution";
import {
  f1r3nodeInterpreter,
  type Interpreter,
  InterpreterError,
  parsingCost,
  renderError,
  rnodeInterpreter,
} from "@vedette/rholang";
import { MemoryStore, tablesOf } from "@vedette/store";
import { GPrivate, Par, PrintError, printF1r3nodePar, printPar } from "@vedette/terms";
import { emptyRoot, PlaySpace, StateStore } from "@vedette/tuplespace";
import { checkProof, type PrintLine, type VerifyProofCommand } from "./checkProof.js";
import { exitCodes } from "./exitCodes.js";
import { type FormatCommand, formatFiles } from "./language/formatFiles.js";
import { type LintCommand, lintFiles } from "./language/lintFiles.js";
import { readSource } from "./language/sourceFiles.js";
import { checkVectors, type VectorsCommand } from "./vectors/checkVectors.js";

/** `vedette parse <file.rho>`: the normalized term of a program. */
export interface ParseCommand {
  readonly command: "parse";
  readonly file: string;
  readonly json: boolean;
  readonly dialect: DialectName;
}

/** `vedette eval <file.rho>`: what a program does on the empty state. */
export interface EvalCommand {
  readonly command: "eval";
  readonly file: string;
  readonly json: boolean;
  readonly phloLimit: bigint;
  /** Bytes from which the random generator is made. */
  readonly seed: Uint8Array;
  readonly dialect: DialectName;
}

/** A command that needs no node and no data directory. */
export type ProgramCommand =
  | ParseCommand
  | EvalCommand
  | VectorsCommand
  | VerifyProofCommand
  | FormatCommand
  | LintCommand;

/** Runs a command that compiles or runs programs; wants a deep stack. @param note for the standard error @returns the exit code */
export function runProgramCommand(command: ProgramCommand, print: PrintLine, note: PrintLine): number {
  switch (command.command) {
    case "parse":
      return command.dialect === "f1r3node"
        ? parseProgram(command, f1r3nodePrograms, print)
        : parseProgram(command, rnodePrograms, print);
    case "eval":
      return command.dialect === "f1r3node"
        ? evaluateProgram(command, f1r3nodePrograms, print)
        : evaluateProgram(command, rnodePrograms, print);
    case "vectors":
      return checkVectors(command, print);
    case "verify-proof":
      return checkProof(command, print);
    case "fmt":
      return formatFiles(command, print, note);
    case "lint":
      return lintFiles(command, print);
  }
}

function parseProgram<Generator extends Random<Generator>>(
  { file, json }: ParseCommand,
  dialect: ProgramDialect<Generator>,
  print: PrintLine,
): number {
  const source = readSource(file);
  const { grammar, terms } = dialect.interpreter;
  let term: Par;
  try {
    term = grammar.compile(source, dialect.environment);
  } catch (error) {
    if (!(error instanceof InterpreterError)) throw error;
    print(json ? JSON.stringify({ error: error.failure.class, message: error.message }) : renderError(source, error));
    return exitCodes.failure;
  }
  const facts = {
    printed: printed(term, dialect),
    bytes: terms.encodePar(term).length,
    hash: toHex(terms.channelHash(term)),
    parsingCost: parsingCost(source),
  };
  if (json) {
    print(JSON.stringify({ ...facts, encoding: toHex(terms.encodePar(term)) }));
    return exitCodes.success;
  }
  print(facts.printed);
  print("");
  print(`hash          ${facts.hash}`);
  print(`size          ${facts.bytes} bytes`);
  print(`parsing cost  ${facts.parsingCost} phlo`);
  return exitCodes.success;
}

/** The term's text; the reason in parentheses for a term that is too large to print. */
function printed(term: Par, { print }: Pick<ProgramDialect<never>, "print">): string {
  try {
    return print(term);
  } catch (error) {
    if (error instanceof PrintError) return `(${error.message})`;
    throw error;
  }
}

function evaluateProgram<Generator extends Random<Generator>>(
  { file, json, phloLimit, seed }: EvalCommand,
  dialect: ProgramDialect<Generator>,
  print: PrintLine,
): number {
  const source = readSource(file);
  const { interpreter, environment } = dialect;
  const space = emptySpace(dialect);
  const prints: { readonly stream: string; readonly text: string }[] = [];
  const result = interpreter.evaluate({
    program: { source, environment },
    space,
    phloLimit,
    random: interpreter.random.fromSeed(seed),
    mergeableTag,
    replay: false,
    output: (stream, term) => {
      if (!json) print(`${stream}: ${printed(term, dialect)}`);
      else if (prints.length < maxPrints) prints.push({ stream, text: printed(term, dialect) });
    },
  });
  if (result.kind !== "evaluated") {
    const text = result.kind === "stopped" ? `stopped: ${result.reason}` : `${result.kind}: ${result.cause.message}`;
    print(json ? JSON.stringify({ error: text }) : text);
    return exitCodes.failure;
  }
  const { cost, errors } = result;
  const isFailed = errors.length > 0;
  const results = isFailed ? [] : resultsOf(space, dialect, interpreter.random.fromSeed(seed).next());
  const root = isFailed ? undefined : toHex(space.checkpoint().root);
  if (json) {
    const listed = errors.map(({ failure, message }) => ({ class: failure.class, message }));
    const said = { errors: listed, root: root ?? null, result: results, prints };
    print(`{"cost":${cost},${JSON.stringify(said).slice(1)}`);
    return isFailed ? exitCodes.failure : exitCodes.success;
  }
  for (const error of errors) print(`error: ${renderError(source, error)}`);
  for (const text of results) print(`result  ${text}`);
  print(`cost  ${cost} phlo`);
  print(root === undefined ? "state is unchanged" : `root  ${root}`);
  return isFailed ? exitCodes.failure : exitCodes.success;
}

/** Maximum number of prints in the JSON output: a program may have millions. */
const maxPrints = 1_000;

/** The state with the bootstrap of the registry and nothing else. */
function emptySpace<Generator extends Random<Generator>>({ interpreter }: ProgramDialect<Generator>): PlaySpace {
  const states = new StateStore(new MemoryStore(tablesOf("state")), { form: interpreter.space });
  const space = new PlaySpace(states, interpreter.matchDatum, emptyRoot, undefined, interpreter.guardHolds);
  interpreter.install(space);
  interpreter.bootstrap(space);
  space.checkpoint();
  return space;
}

/**
 * Returns the values that a program sent to its deploy id, and to the first name of its outermost `new`, as an
 * exploration returns them.
 */
function resultsOf(
  space: PlaySpace,
  dialect: Pick<ProgramDialect<never>, "print" | "environment">,
  firstName: Uint8Array,
): string[] {
  const returned = Par.of({ unforgeables: [new GPrivate(firstName)] });
  const sent = [dialect.environment.get("rho:rchain:deployId")!, returned].flatMap((name) => space.data(name));
  return sent.flatMap(({ a }) => a.pars.map((par) => printed(par, dialect)));
}

/** The rules by which a program is compiled, run and shown if no network defines them. @spec 20 §1, 61 §4 */
interface ProgramDialect<Generator extends Random<Generator>> {
  readonly interpreter: Interpreter<Generator>;
  /** @throws {PrintError} */
  readonly print: (par: Par) => string;
  /** The names of a deploy, so that programs which declare them compile. @spec 41 §2.4, 61 §5 */
  readonly environment: ReadonlyMap<string, Par>;
}

/** Programs as rnode has them. */
const rnodePrograms: ProgramDialect<SplittableRandom> = {
  interpreter: rnodeInterpreter,
  print: printPar,
  environment: environmentOf(rnodeExecution),
};

/** Programs as f1r3node has them. */
const f1r3nodePrograms: ProgramDialect<F1r3nodeRandom> = {
  interpreter: f1r3nodeInterpreter,
  print: printF1r3nodePar,
  environment: environmentOf(f1r3nodeExecution),
};

/** The deploy environment of a program without a signature, with fixed placeholder keys. */
function environmentOf(form: ExecutionDialect): ReadonlyMap<string, Par> {
  const deployer = new Uint8Array(65).map((_, index) => (index === 0 ? 4 : 0x11));
  return form.deployEnvironment({ signature: new Uint8Array(70).fill(0x22), deployer });
}
