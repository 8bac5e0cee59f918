import type { Dialect } from "@vedette/protocol";
import { expect } from "vitest";
import { runScenario } from "./runScenario.js";

const answered = /^values \d+$/;
const outOfPhlo = /Computation ran out of phlogistons\.$/;
const outOfPhloOrTime = /Computation ran out of phlogistons\.$|^stopped: deadline$/;
/** Garbage of a program is collected now and then: its memory may seem full before. */
const outOfPhloOrMemory = /Computation ran out of phlogistons\.$|^stopped: memory$/;
/** Compiled or matched natively; a slow machine may not come to the end. */
const answeredOrLate = /^values \d+$|^stopped: deadline$|did not end in time/;
/** Heap and stack of a hundred thousand levels are more than one program may hold, where both are used. */
const answeredOrGivenUp = /^values \d+$|^stopped: (deadline|memory)$|did not end in time/;
const tooManyParts = /A term would have more than the limit of 4000000 parts side by side$/;

const outcomes: Readonly<Record<string, RegExp>> = {
  malformed: /SyntaxError: syntax error\(EOF\):/,
  notText: /LexerError: Illegal Character/,
  endless: outOfPhloOrTime,
  branching: /Computation ran out of phlogistons\.$|^stopped: (deadline|memory)$/,
  persistentPair: outOfPhloOrTime,
  deepList: answeredOrGivenUp,
  deepTuple: answeredOrGivenUp,
  deepNew: answeredOrGivenUp,
  deepSend: answeredOrGivenUp,
  deepMatch: answeredOrGivenUp,
  deepParentheses: answered,
  deepNegation: answered,
  deepSum: answered,
  deepMethods: answeredOrGivenUp,
  deepPattern: answeredOrGivenUp,
  deepNegatedPattern: answeredOrGivenUp,
  deepBundle: answeredOrGivenUp,
  deepQuotes: answered,
  deepReceive: answeredOrGivenUp,
  deepAnswer: answeredOrGivenUp,
  // How much stack a level takes depends on how warm the parser is.
  tooDeep: /The program is nested too deeply: parsing it needs more stack than this thread has\.$|syntax error\(EOF\)/,
  manySends: /ReduceError: The number of terms in the Par is 50000, which exceeds the limit of 32767\.$/,
  tooLarge: /The program is too large: it has more than 1000000 tokens\.$/,
  longText: outOfPhlo,
  doubledTexts: outOfPhlo,
  doubledBytes: outOfPhlo,
  doubledLists: tooManyParts,
  doubledProcesses: tooManyParts,
  nestedLists: outOfPhlo,
  filledIn: /A text would be longer than the limit of 67108864 characters$/,
  longMatch: /^stopped: deadline$/,
  splitMatch: /^stopped: deadline$/,
  manyEscapes: /^values 2$/,
  overrun: /The query did not end in time and its thread was ended\.$/,
};

/** Where they end otherwise on an f1r3node network: a query has a twentieth of the phlo, and texts cost more. */
const f1r3nodeOutcomes: typeof outcomes = {
  malformed: /Parse failed: unexpected the end of the text at 1:11$/,
  notText: /Parse failed: unexpected NUL at 1:1$/,
  manySends: /Reduce error: The number of terms in the Par is 50000, which exceeds the limit of 32767$/,
  doubledLists: outOfPhloOrMemory,
  doubledProcesses: outOfPhloOrMemory,
  filledIn: outOfPhlo,
  longMatch: /A term would have more than the limit of 1048576 parts side by side$|^stopped: deadline$/,
  manyEscapes: outOfPhlo,
};

const deepNames = Object.keys(outcomes).filter((name) => name.startsWith("deep"));
const honest = Object.fromEntries(deepNames.map((name) => [`honest ${name}`, answeredOrLate]));
const allOutcomes: Readonly<Record<Dialect["name"], typeof outcomes>> = {
  rnode: { ...outcomes, ...honest },
  f1r3node: { ...outcomes, ...f1r3nodeOutcomes, ...honest },
};

/** Names of the programs in `hostileTerms.ts`; those that nest twenty thousand times are called honest. */
export const allPrograms: readonly string[] = Object.keys(allOutcomes.rnode);

/** Returns the pattern of a program's outcome. */
export function expectedText(name: string, dialect: Dialect["name"] = "rnode"): RegExp {
  return allOutcomes[dialect][name]!;
}

/** Runs these programs on a pool of readers. */
export function runHostilePrograms(names: readonly string[], dialect: Dialect["name"] = "rnode"): Promise<unknown[]> {
  return runScenario("hostilePrograms.js", [dialect, ...names]);
}

/**
 * Returns the expected outcomes of the programs: each its own, while and after which a good query gets its usual
 * answer.
 */
export function expectedOutcomes(names: readonly string[], dialect: Dialect["name"] = "rnode"): unknown[] {
  const good = "values 24";
  const programs = allPrograms.filter((name) => names.includes(name));
  return [
    ...programs.map((name) => ({
      name,
      outcome: expect.stringMatching(expectedText(name, dialect)),
      beside: good,
      after: good,
      elapsedMs: expect.any(Number),
    })),
    { isUntouched: true },
  ];
}
