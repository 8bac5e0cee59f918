import { type F1r3nodeRandom, type Random, type SplittableRandom, toHex } from "@vedette/crypto";
import { type Par, printF1r3nodePar, printPar } from "@vedette/terms";
import type { EvaluateResult } from "../evaluate/evaluate.js";
import type { InterpreterError } from "../InterpreterError.js";
import { f1r3nodeInterpreter } from "../interpreter/f1r3nodeInterpreter.js";
import type { Interpreter } from "../interpreter/Interpreter.js";
import { rnodeInterpreter } from "../interpreter/rnodeInterpreter.js";
import { errorDifferences, f1r3nodeErrorDifferences, named } from "./errorDifferences.js";
import type { ExpectedError } from "./VectorVerdict.js";

type VectorEvaluation = Extract<EvaluateResult, { kind: "evaluated" }>;

/** How a dialect's golden vectors were made, and what of them can be compared. */
export interface VectorDialect<Generator extends Random<Generator>> {
  readonly interpreter: Interpreter<Generator>;
  readonly print: (par: Par) => string;
  /** Returns the values that every program gets by the URNs of its deploy. */
  readonly environmentOf: (deployId: Par, deployer: Par) => ReadonlyMap<string, Par>;
  readonly errorDifferences: (expected: ExpectedError, actual: InterpreterError) => string[];
  /** Compares the result of a program that made rnode crash. */
  readonly fatalDifferences: (result: VectorEvaluation) => string[];
  /** Channels that are merged, in hex, as the vectors have them. */
  readonly mergeableOf: (result: VectorEvaluation) => string[];
}

/** Vectors of rnode. */
export const rnodeVectors: VectorDialect<SplittableRandom> = {
  interpreter: rnodeInterpreter,
  print: printPar,
  environmentOf: (deployId, deployer) =>
    new Map([
      ["rho:rchain:deployId", deployId],
      ["rho:rchain:deployerId", deployer],
    ]),
  errorDifferences,
  fatalDifferences: ({ cost, errors }) => [
    `expected a fatal exception; ours cost ${cost}, ${errors.map(named).join("; ") || "no errors"}`,
  ],
  mergeableOf: ({ mergeable }) => mergeable.map((channel) => toHex(rnodeInterpreter.terms.encodePar(channel))),
};

/** Vectors of f1r3node. */
export const f1r3nodeVectors: VectorDialect<F1r3nodeRandom> = {
  interpreter: f1r3nodeInterpreter,
  print: printF1r3nodePar,
  environmentOf: (deployId, deployer) =>
    new Map([
      ["rho:system:deployId", deployId],
      ["rho:rchain:deployId", deployId],
      ["rho:system:deployerId", deployer],
      ["rho:rchain:deployerId", deployer],
    ]),
  errorDifferences: f1r3nodeErrorDifferences,
  // Its compiler dies of some programs, which are a ParserError here.
  fatalDifferences: ({ cost, errors }) =>
    errors.length === 1 && errors[0]!.failure.class === "ParserError"
      ? []
      : [`expected a panic; ours cost ${cost}, ${errors.map(named).join("; ") || "no errors"}`],
  mergeableOf({ mergeable, bitmasks }) {
    const hex = (channel: Par) => toHex(f1r3nodeInterpreter.terms.encodePar(channel));
    return [...mergeable.map((channel) => `${hex(channel)}:add`), ...bitmasks.map((channel) => `${hex(channel)}:or`)];
  },
};
