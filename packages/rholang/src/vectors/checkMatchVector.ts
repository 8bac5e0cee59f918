import { fromHex, toHex } from "@vedette/crypto";
import { decodePar, encodePar, type Par, printPar } from "@vedette/terms";
import { InterpreterError } from "../InterpreterError.js";
import { matchPar } from "../match/matchPar.js";
import { errorDifferences, named } from "./checkParseVector.js";
import { type ExpectedError, shorten, type VectorVerdict, verdictOf } from "./VectorVerdict.js";

/** One line of a `match*.jsonl` file. */
export interface MatchVector {
  readonly id: string;
  readonly targetBytes: string;
  readonly patternBytes: string;
  readonly expect:
    | { readonly bindings: Readonly<Record<string, string>> | null; readonly freeCount?: number }
    | { readonly error: ExpectedError };
}

/** Matches a vector's target with its pattern and compares what each variable is bound to. @spec 22 §1 */
export function checkMatchVector(vector: MatchVector): VectorVerdict {
  const target = decodePar(fromHex(vector.targetBytes));
  const pattern = decodePar(fromHex(vector.patternBytes));
  const { expect } = vector;
  let bindings: ReadonlyMap<number, Par> | undefined;
  try {
    bindings = matchPar(target, pattern);
  } catch (error) {
    if (!(error instanceof InterpreterError)) return verdictOf([`match threw no InterpreterError: ${String(error)}`]);
    return verdictOf("error" in expect ? errorDifferences(expect.error, error) : [`failed: ${named(error)}`]);
  }
  const differences =
    "error" in expect
      ? [`expected ${expect.error.class}, ours is no error`]
      : bindingDifferences(expect.bindings, bindings);
  if (differences.length > 0)
    differences.push(`target ${shorten(printPar(target))}`, `pattern ${shorten(printPar(pattern))}`);
  return verdictOf(differences);
}

function bindingDifferences(
  expected: Readonly<Record<string, string>> | null,
  actual: ReadonlyMap<number, Par> | undefined,
): string[] {
  if (expected === null) return actual === undefined ? [] : ["expected no match, ours is one"];
  if (actual === undefined) return ["expected a match, ours is none"];
  const differences: string[] = [];
  for (const [level, bytes] of Object.entries(expected)) {
    const value = actual.get(Number(level));
    if (value !== undefined && toHex(encodePar(value)) === bytes) continue;
    const ours = value === undefined ? "unbound" : shorten(printPar(value));
    differences.push(`variable ${level}: expected ${shorten(printPar(decodePar(fromHex(bytes))))}, ours ${ours}`);
  }
  for (const level of actual.keys())
    if (!(String(level) in expected)) differences.push(`variable ${level}: expected unbound, ours is bound`);
  return differences;
}
