import { blake2b256, fromHex, type Random, toHex } from "@vedette/crypto";
import type { Par } from "@vedette/terms";
import { parsingCost } from "../cost/costs.js";
import { InterpreterError } from "../InterpreterError.js";
import { named } from "./errorDifferences.js";
import type { VectorDialect } from "./VectorDialect.js";
import { type ExpectedError, shorten, type VectorVerdict, verdictOf, whereTheyPart } from "./VectorVerdict.js";

/** One line of a `parse*.jsonl` file; what is left out of a term was not recorded. */
export interface ParseVector {
  readonly id: string;
  readonly term: string;
  readonly expect: ExpectedTerm | { readonly error: ExpectedError } | { readonly fatal: true };
}

interface ExpectedTerm {
  readonly bytes?: string;
  readonly hash: string;
  readonly channelHash?: string;
  readonly printed?: string;
  readonly parsingCost: number;
}

/** Compiles a vector's term and compares bytes, hashes, text and cost, or the error. @spec 20 §13, §15, 61 §4, §5 */
export function checkParseVector<Generator extends Random<Generator>>(
  { term, expect }: ParseVector,
  dialect: VectorDialect<Generator>,
): VectorVerdict {
  let par: Par;
  try {
    par = dialect.interpreter.grammar.compile(term);
  } catch (error) {
    if (!(error instanceof InterpreterError)) return verdictOf([`compile threw no InterpreterError: ${String(error)}`]);
    if ("fatal" in expect) return verdictOf(dialect.errorDifferences({ class: "ParserError" }, error));
    return verdictOf("error" in expect ? dialect.errorDifferences(expect.error, error) : [`refused: ${named(error)}`]);
  }
  const printed = dialect.print(par);
  if ("fatal" in expect) return verdictOf([`expected no program; ours compiles to ${shorten(printed)}`]);
  if ("error" in expect) {
    const { class: failureClass, message = "" } = expect.error;
    return verdictOf([`expected ${failureClass}: ${message}; ours compiles to ${shorten(printed)}`]);
  }
  return verdictOf(termDifferences(term, par, printed, expect, dialect));
}

function termDifferences<Generator extends Random<Generator>>(
  source: string,
  par: Par,
  printed: string,
  expect: ExpectedTerm,
  dialect: VectorDialect<Generator>,
): string[] {
  const { terms } = dialect.interpreter;
  const differences: string[] = [];
  const bytes = terms.encodePar(par);
  if (expect.bytes !== undefined && toHex(bytes) !== expect.bytes) {
    const expected = dialect.print(terms.decodePar(fromHex(expect.bytes)));
    differences.push(`bytes ${whereTheyPart(expect.bytes, toHex(bytes))}`, wordsFor(expected, printed));
  }
  if (toHex(blake2b256(bytes)) !== expect.hash) differences.push(`hash: expected ${expect.hash}`);
  if (expect.channelHash !== undefined && toHex(terms.channelHash(par)) !== expect.channelHash)
    differences.push(`channel's hash: expected ${expect.channelHash}`);
  if (expect.printed !== undefined && printed !== expect.printed)
    differences.push(`printed text ${whereTheyPart(expect.printed, printed)}`);
  const cost = parsingCost(source);
  if (cost !== expect.parsingCost) differences.push(`parsing cost: expected ${expect.parsingCost}, ours ${cost}`);
  return differences;
}

function wordsFor(expected: string, actual: string): string {
  return expected === actual
    ? "both print alike: look at locallyFree, connectiveUsed and the order of equal-looking terms"
    : `terms part ${whereTheyPart(expected, actual)}`;
}
