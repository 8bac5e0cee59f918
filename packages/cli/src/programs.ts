import { SplittableRandom, toHex } from "@vedette/crypto";
import { mergeableTag } from "@vedette/execution";
import {
  bootstrapRegistry,
  compile,
  evaluate,
  InterpreterError,
  installSystemProcesses,
  matchDatum,
  parsingCost,
  renderError,
} from "@vedette/rholang";
import { MemoryStore, tablesOf } from "@vedette/store";
import { channelHash, encodePar, GDeployerId, GDeployId, GPrivate, Par, PrintError, printPar } from "@vedette/terms";
import { emptyRoot, PlaySpace, StateStore } from "@vedette/tuplespace";
import { checkProof, type PrintLine, type VerifyProofCommand } from "./checkProof.js";
import { checkVectors, type VectorsCommand } from "./checkVectors.js";
import { exitCodes } from "./exitCodes.js";
import { type FormatCommand, formatFiles } from "./language/formatFiles.js";
import { type LintCommand, lintFiles } from "./language/lintFiles.js";
import { readSource } from "./language/sourceFiles.js";

/** `vedette parse <file.rho>`: the normalized term of a program. */
export interface ParseCommand {
  readonly command: "parse";
  readonly file: string;
  readonly json: boolean;
}

/** `vedette eval <file.rho>`: what a program does on the empty state. */
export interface EvalCommand {
  readonly command: "eval";
  readonly file: string;
  readonly json: boolean;
  readonly phloLimit: bigint;
  /** Bytes from which the random generator is made. */
  readonly seed: Uint8Array;
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
      return parseProgram(command, print);
    case "eval":
      return evaluateProgram(command, print);
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

function parseProgram({ file, json }: ParseCommand, print: PrintLine): number {
  const source = readSource(file);
  let term: Par;
  try {
    term = compile(source, programEnvironment);
  } catch (error) {
    if (!(error instanceof InterpreterError)) throw error;
    print(json ? JSON.stringify({ error: error.failure.class, message: error.message }) : renderError(source, error));
    return exitCodes.failure;
  }
  const facts = {
    printed: printed(term),
    bytes: encodePar(term).length,
    hash: toHex(channelHash(term)),
    parsingCost: parsingCost(source),
  };
  if (json) {
    print(JSON.stringify({ ...facts, encoding: toHex(encodePar(term)) }));
    return exitCodes.success;
  }
  print(facts.printed);
  print("");
  print(`hash          ${facts.hash}`);
  print(`size          ${facts.bytes} bytes`);
  print(`parsing cost  ${facts.parsingCost} phlo`);
  return exitCodes.success;
}

/** The term's text; one that is too large for that has a hash and a size all the same. */
function printed(term: Par): string {
  try {
    return printPar(term);
  } catch (error) {
    if (error instanceof PrintError) return `(${error.message})`;
    throw error;
  }
}

/** The names of a deploy, so that programs which declare them compile. @spec 41 §2.4 */
const programEnvironment: ReadonlyMap<string, Par> = new Map([
  ["rho:rchain:deployId", Par.of({ unforgeables: [new GDeployId(new Uint8Array(70).fill(0x22))] })],
  [
    "rho:rchain:deployerId",
    Par.of({ unforgeables: [new GDeployerId(new Uint8Array(65).map((_, index) => (index === 0 ? 4 : 0x11)))] }),
  ],
]);

function evaluateProgram({ file, json, phloLimit, seed }: EvalCommand, print: PrintLine): number {
  const source = readSource(file);
  const space = new PlaySpace(new StateStore(new MemoryStore(tablesOf("state"))), matchDatum, emptyRoot);
  installSystemProcesses(space);
  bootstrapRegistry(space);
  space.checkpoint();
  const prints: { readonly stream: string; readonly text: string }[] = [];
  const result = evaluate({
    program: { source, environment: programEnvironment },
    space,
    phloLimit,
    random: SplittableRandom.fromSeed(seed),
    mergeableTag,
    replay: false,
    output: (stream, term) => {
      if (!json) print(`${stream}: ${printed(term)}`);
      else if (prints.length < mostPrints) prints.push({ stream, text: printed(term) });
    },
  });
  if (result.kind !== "evaluated") {
    const text = result.kind === "stopped" ? `stopped: ${result.reason}` : `${result.kind}: ${result.cause.message}`;
    print(json ? JSON.stringify({ error: text }) : text);
    return exitCodes.failure;
  }
  const { cost, errors } = result;
  const isFailed = errors.length > 0;
  const results = isFailed ? [] : resultsOf(space, seed);
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

/** Prints of a program that are told as JSON: a program may have millions. */
const mostPrints = 1_000;

/** What a program sent to its deploy id, and to the first name of its outermost `new`, as exploring answers. */
function resultsOf(space: PlaySpace, seed: Uint8Array): string[] {
  const returned = Par.of({ unforgeables: [new GPrivate(SplittableRandom.fromSeed(seed).next())] });
  const sent = [programEnvironment.get("rho:rchain:deployId")!, returned].flatMap((name) => space.data(name));
  return sent.flatMap(({ a }) => a.pars.map(printed));
}
