import type { SplittableRandom } from "@vedette/crypto";
import { mergeableTag } from "@vedette/execution";
import {
  type Budget,
  bootstrapRegistry,
  budgetMeter,
  compile,
  evaluate,
  InterpreterError,
  installSystemProcesses,
  matchDatum,
} from "@vedette/rholang";
import { MemoryStore, tablesOf } from "@vedette/store";
import { emptyBitSet, nil, Par, PrintError, printPar, Receive, ReceiveBind, Send } from "@vedette/terms";
import { emptyRoot, PlaySpace, StateStore } from "@vedette/tuplespace";

/** A program for the evaluation space. */
export interface ReplProgram {
  readonly source: string;
  /** Whether only sends that were not received are shown. */
  readonly unmatchedSendsOnly: boolean;
}

/** The result of a program, and what it printed. */
export interface ReplResult {
  readonly output: string;
  readonly printed: readonly string[];
}

/** rnode gives as much as there is. @spec 50 §3.4 */
const unlimitedPhlo = 2n ** 63n - 1n;
const maxPrinted = 100;
const longestPrinted = 1_000;
/** Characters; clients refuse messages that are much larger. */
const longestOutput = 1_000_000;
const environment: ReadonlyMap<string, Par> = new Map();

/**
 * The space that the operator's programs run on. It has nothing to do with the chain; what a program leaves there is
 * seen by the next ones.
 *
 * @spec 50 §3.4
 */
export class EvaluationSpace {
  readonly #nextRandom: () => SplittableRandom;
  #space = freshSpace();

  /** @param nextRandom a fresh generator for each program */
  constructor(nextRandom: () => SplittableRandom) {
    this.#nextRandom = nextRandom;
  }

  run({ source, unmatchedSendsOnly }: ReplProgram, budget: Budget): ReplResult {
    try {
      compile(source, environment);
    } catch (error) {
      if (error instanceof InterpreterError) return replResult(`Error: ${error.referenceText()}`);
      throw error;
    }
    const printed: string[] = [];
    const space = this.#space;
    const before = space.softCheckpoint();
    space.budget = budget;
    const result = evaluate({
      program: { source, environment },
      space,
      phloLimit: unlimitedPhlo,
      random: this.#nextRandom(),
      mergeableTag,
      replay: false,
      budget,
      output: (stream, term) => {
        if (printed.length < maxPrinted) printed.push(`${stream}: ${text(term).slice(0, longestPrinted)}`);
      },
    });
    if (result.kind !== "evaluated") {
      space.revert(before);
      if (result.kind === "stopped" && result.reason === "memory") this.#space = freshSpace();
      const why = result.kind === "stopped" ? stopped[result.reason] : result.cause.message.replace(/[^.]$/, "$&.");
      return replResult(
        `Error: ${why} The space is ${this.#space === space ? "as it was before" : "empty again"}.`,
        printed,
      );
    }
    space.settle();
    const errors = result.errors.map((error) => `${error.referenceText()}\n`);
    const failures = errors.length === 0 ? "" : `Errors received during evaluation:\n${errors.join("")}`;
    const contents = unmatchedSendsOnly ? space.unmatchedSends() : space.contents();
    const cost = `Deployment cost: Cost(${result.cost},)\n`;
    return replResult(`${cost}${failures}Storage Contents:\n${contents}`, printed);
  }
}

const stopped = {
  steps: "The program was stopped: it took too many steps.",
  pending: "The program was stopped: too many of its branches wait at once.",
  deadline: "The program was stopped: its time is up.",
  cancelled: "The program was cancelled.",
  memory: "The program was stopped: it takes too much memory.",
} as const;

function replResult(output: string, printed: readonly string[] = []): ReplResult {
  const isLong = output.length > longestOutput;
  return { output: isLong ? `${output.slice(0, longestOutput)}\n… (cut)` : output, printed };
}

function freshSpace(): ReplSpace {
  const store = new StateStore(new MemoryStore(tablesOf("state")));
  const space = new ReplSpace(store, emptyRoot);
  installSystemProcesses(space);
  bootstrapRegistry(space);
  // The shown content is that which came after this.
  space.checkpoint();
  return space;
}

/** A space that can be looked through. */
class ReplSpace extends PlaySpace {
  protected override keepsLog = false;
  budget: Budget = {};

  constructor(store: StateStore, root: Uint8Array) {
    super(store, (pattern, data) => matchDatum(pattern, data, budgetMeter(this.budget)), root);
  }

  contents(): string {
    const sends = this.#sends();
    const receives = this.#receives();
    if (sends.length + receives.length === 0)
      return "The space is empty. Note that top level terms that are not sends or receives are discarded.";
    return text(Par.of({ sends, receives }));
  }

  unmatchedSends(): string {
    const sends = this.#sends();
    return sends.length === 0 ? "No unmatched sends." : text(Par.of({ sends }));
  }

  #sends(): Send[] {
    const sends: Send[] = [];
    for (const { channel, data } of this.hot.channels)
      for (const { a, persist } of data.own ?? []) sends.push(new Send(channel, a.pars, persist, emptyBitSet, false));
    return sends;
  }

  #receives(): Receive[] {
    const receives: Receive[] = [];
    const single = [...this.hot.channels].flatMap(({ ownGroup }) => ownGroup ?? []);
    for (const { cells, continuations } of [...single, ...this.hot.groups]) {
      for (const { patterns, continuation, persist, peeks } of continuations.own ?? []) {
        const binds = patterns.map(
          (pattern, index) =>
            new ReceiveBind(pattern.patterns, cells[index]!.channel, pattern.remainder, pattern.freeCount),
        );
        const body = continuation.kind === "ParContinuation" ? continuation.value.body : nil;
        const bound = patterns.reduce((sum, { freeCount }) => sum + freeCount, 0);
        receives.push(new Receive(binds, body, persist, peeks.length > 0, bound, emptyBitSet, false));
      }
    }
    return receives;
  }
}

function text(term: Par): string {
  try {
    return printPar(term);
  } catch (error) {
    if (error instanceof PrintError) return `(${error.message})`;
    throw error;
  }
}
