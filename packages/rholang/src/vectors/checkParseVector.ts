import { blake2b256, fromHex, toHex } from "@vedette/crypto";
import { decodePar, encodePar, type Par, printPar } from "@vedette/terms";
import { compile } from "../compile.js";
import { parsingCost } from "../cost/costs.js";
import { InterpreterError } from "../InterpreterError.js";
import { type ExpectedError, shorten, type VectorVerdict, verdictOf, whereTheyPart } from "./VectorVerdict.js";

/** One line of a `parse*.jsonl` file. */
export interface ParseVector {
  readonly id: string;
  readonly term: string;
  readonly expect:
    | { readonly bytes: string; readonly hash: string; readonly printed: string; readonly parsingCost: number }
    | { readonly error: ExpectedError };
}

/** Compiles a vector's term and compares bytes, hash, text and cost, or the error. @spec 20 §13, §15 */
export function checkParseVector({ term, expect }: ParseVector): VectorVerdict {
  let par: Par;
  try {
    par = compile(term, new Map());
  } catch (error) {
    if (!(error instanceof InterpreterError)) return verdictOf([`compile threw no InterpreterError: ${String(error)}`]);
    return verdictOf("error" in expect ? errorDifferences(expect.error, error) : [`refused: ${named(error)}`]);
  }
  if ("error" in expect)
    return verdictOf([
      `expected ${expect.error.class}: ${expect.error.message ?? ""}; ours compiles to ${shorten(printPar(par))}`,
    ]);
  const differences: string[] = [];
  const bytes = encodePar(par);
  if (toHex(bytes) !== expect.bytes) differences.push(...byteDifferences(expect.bytes, bytes));
  if (toHex(blake2b256(bytes)) !== expect.hash) differences.push(`hash: expected ${expect.hash}`);
  const printed = printPar(par);
  if (printed !== expect.printed) differences.push(`printed text ${whereTheyPart(expect.printed, printed)}`);
  const cost = parsingCost(term);
  if (cost !== expect.parsingCost) differences.push(`parsing cost: expected ${expect.parsingCost}, ours ${cost}`);
  return verdictOf(differences);
}

/** A lazy value of the reference shows itself by its address, for instance as `Coeval.Map$1145322337`. */
const memoryAddress = /\bCoeval\.\w+\$\d+/;

/**
 * Compares an error with the expected one by class and text; by class alone where the vector has no text, or one
 * with a memory address of the reference in it, which was another in each run.
 */
export function errorDifferences(expected: ExpectedError, actual: InterpreterError): string[] {
  const hasText = expected.message !== undefined && !memoryAddress.test(expected.message);
  const isSame = expected.class === actual.failure.class && (!hasText || expected.message === actual.message);
  return isSame
    ? []
    : [`error: expected ${expected.class}: ${expected.message ?? "(any text)"}; ours ${named(actual)}`];
}

/** Class and text of an error. */
export function named(error: InterpreterError): string {
  return `${error.failure.class}: ${error.message}`;
}

function byteDifferences(expectedHex: string, bytes: Uint8Array): string[] {
  const expected = printPar(decodePar(fromHex(expectedHex)));
  const actual = printPar(decodePar(bytes));
  const terms =
    expected === actual
      ? "both print alike: look at locallyFree, connectiveUsed and the order of equal-looking terms"
      : `terms part ${whereTheyPart(expected, actual)}`;
  return [`bytes ${whereTheyPart(expectedHex, toHex(bytes))}`, terms];
}
