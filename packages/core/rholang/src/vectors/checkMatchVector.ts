import { fromHex, type Random, toHex } from "@vedette/crypto";
import type { Par } from "@vedette/terms";
import { InterpreterError } from "../InterpreterError.js";
import { named } from "./errorDifferences.js";
import type { VectorDialect } from "./VectorDialect.js";
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

/** Matches a vector's target with its pattern and compares what each variable is bound to. @spec 22 §1, 61 §6.6 */
export function checkMatchVector<Generator extends Random<Generator>>(
  vector: MatchVector,
  dialect: VectorDialect<Generator>,
): VectorVerdict {
  const { interpreter, print } = dialect;
  const target = interpreter.terms.decodePar(fromHex(vector.targetBytes));
  const pattern = interpreter.terms.decodePar(fromHex(vector.patternBytes));
  const { expect } = vector;
  let bindings: ReadonlyMap<number, Par> | undefined;
  try {
    bindings = interpreter.matchPar(target, pattern);
  } catch (error) {
    if (!(error instanceof InterpreterError)) return verdictOf([`match threw no InterpreterError: ${String(error)}`]);
    return verdictOf("error" in expect ? dialect.errorDifferences(expect.error, error) : [`failed: ${named(error)}`]);
  }
  const differences =
    "error" in expect
      ? [`expected ${expect.error.class}, ours is no error`]
      : bindingDifferences(expect.bindings, bindings, dialect);
  if (differences.length > 0)
    differences.push(`target ${shorten(print(target))}`, `pattern ${shorten(print(pattern))}`);
  return verdictOf(differences);
}

function bindingDifferences<Generator extends Random<Generator>>(
  expected: Readonly<Record<string, string>> | null,
  actual: ReadonlyMap<number, Par> | undefined,
  { interpreter: { terms }, print }: VectorDialect<Generator>,
): string[] {
  if (expected === null) return actual === undefined ? [] : ["expected no match, ours is one"];
  if (actual === undefined) return ["expected a match, ours is none"];
  const differences: string[] = [];
  for (const [level, bytes] of Object.entries(expected)) {
    const value = actual.get(Number(level));
    if (value !== undefined && toHex(terms.encodePar(value)) === bytes) continue;
    const ours = value === undefined ? "unbound" : shorten(print(value));
    differences.push(`variable ${level}: expected ${shorten(print(terms.decodePar(fromHex(bytes))))}, ours ${ours}`);
  }
  for (const level of actual.keys())
    if (!(String(level) in expected)) differences.push(`variable ${level}: expected unbound, ours is bound`);
  return differences;
}
