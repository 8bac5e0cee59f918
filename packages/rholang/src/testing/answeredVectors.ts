import { blake2b256, toHex } from "@vedette/crypto";
import { encodePar, type Par, printPar } from "@vedette/terms";
import { compile } from "../compile.js";
import { parsingCost } from "../cost/costs.js";
import { InterpreterError } from "../InterpreterError.js";
import { matchPar } from "../match/matchPar.js";
import type { MatchVector } from "../vectors/checkMatchVector.js";
import type { ParseVector } from "../vectors/checkParseVector.js";
import { EvalChecks, type EvalVector } from "../vectors/EvalChecks.js";
import { scalaVectors } from "../vectors/VectorDialect.js";
import type { ExpectedError } from "../vectors/VectorVerdict.js";

/** A program with what ours makes of it, in the form of the recorded vectors. */
export function answeredParse(id: string, term: string): ParseVector {
  const par = orError(() => compile(term, new Map()));
  if ("class" in par) return { id, term, expect: { error: par } };
  const bytes = encodePar(par);
  const expect = {
    bytes: toHex(bytes),
    hash: toHex(blake2b256(bytes)),
    printed: printPar(par),
    parsingCost: parsingCost(term),
  };
  return { id, term, expect };
}

/**
 * A program with what its evaluation comes to here, in the form of the recorded vectors.
 *
 * @throws TypeError when it is given up
 */
export function answeredEval(id: string, term: string, limit = 1_000_000): EvalVector {
  const vector = { id, term, limit, seed: toHex(blake2b256(new TextEncoder().encode(id))) };
  const checks = new EvalChecks(scalaVectors);
  const space = checks.playingSpace();
  const before = toHex(space.root);
  const result = checks.evaluate({ ...vector, expect: {} }, space, false, () => {});
  if (result.kind === "fatal") return { ...vector, expect: { fatal: true } };
  if (result.kind !== "evaluated") throw new TypeError(`${id} is ${result.kind}`);
  const errors = result.errors.map(expectedError);
  const answer = { cost: Number(result.cost), errors };
  if (errors.length > 0) return { ...vector, expect: answer };
  const { root } = space.checkpoint();
  const mergeable = result.mergeable.map((channel) => toHex(encodePar(channel))).sort();
  return { ...vector, before, expect: { ...answer, root: toHex(root), mergeable } };
}

/** What a pattern captures of a target here, both as programs; in the form of the recorded vectors. */
export function answeredMatch(id: string, target: string, pattern: string): MatchVector {
  const [match] = compile(`match { ${target} } { { ${pattern} } => Nil }`).matches;
  const parts = [match!.target, match!.cases[0]!.pattern] as const;
  const vector = { id, targetBytes: toHex(encodePar(parts[0])), patternBytes: toHex(encodePar(parts[1])) };
  const bindings = orError(() => matchPar(...parts) ?? null);
  if (bindings === null) return { ...vector, expect: { bindings } };
  if ("class" in bindings) return { ...vector, expect: { error: bindings } };
  const captured = [...bindings].map(([level, par]: readonly [number, Par]) => [level, toHex(encodePar(par))]);
  return { ...vector, expect: { bindings: Object.fromEntries(captured) } };
}

function orError<Result>(work: () => Result): Result | ExpectedError {
  try {
    return work();
  } catch (error) {
    if (error instanceof InterpreterError) return expectedError(error);
    throw error;
  }
}

function expectedError(error: InterpreterError): ExpectedError {
  return { class: error.failure.class, message: error.message };
}
