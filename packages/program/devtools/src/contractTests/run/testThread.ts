import { parentPort, workerData } from "node:worker_threads";
import { errorText } from "@vedette/errors";
import { type CaseDialect, type CoveredLines, ProgramCoverage, type TestState } from "@vedette/execution";
import { answerCalls } from "@vedette/executor/threads";
import { type GenesisImage, openGenesis } from "./preparedGenesis.js";
import { type CaseResult, runCase } from "./runCase.js";
import { testDialectOf } from "./TestDialect.js";
import { deployPrograms, readTests } from "./testSource.js";

/** A case to run: which of which file. */
export interface CaseCall {
  readonly file: string;
  readonly text: string;
  readonly index: number;
  readonly phloLimit: bigint | undefined;
  /** Whether it is counted what of the deployed programs runs. */
  readonly isCounted: boolean;
}

/** A genesis for each set of contracts that files name, by the names. */
export type GenesisImages = { readonly [contracts: string]: GenesisImage };

/** The thread's answer to each call. */
export type CaseAnswer = (CaseResult & { readonly coverage?: Coverage }) | { readonly failure: string };

/** The lines of each deployed program that have a send or a receive, and how often one of them began. */
export type Coverage = ReadonlyMap<string, CoveredLines>;

/** The initial data of a thread. */
export interface TestThreadContext {
  readonly images: GenesisImages;
  readonly dialect: CaseDialect;
}

const { images, dialect: name } = workerData as TestThreadContext;
const dialect = testDialectOf(name);
const opened = new Map<string, TestState>();

/** The methods of the thread. */
const methods = { run: answer } as const;
export type CaseMethods = typeof methods;

answerCalls(parentPort!, methods);

function answer({ file, text, index, phloLimit, isCounted }: CaseCall): CaseAnswer {
  try {
    const tests = readTests(file, text, name);
    const coverage = isCounted ? new ProgramCoverage(dialect.trial.execution) : undefined;
    const { state, deployed } = deployPrograms(
      genesisOf(tests.contracts.join(" ")),
      file,
      { deploys: tests.deploys, print: dialect.print },
      coverage,
    );
    const one = tests.cases[index]!;
    const steps = one.steps.map((step) =>
      phloLimit === undefined ? step : { ...step, program: { ...step.program, phloLimit } },
    );
    const result = runCase(state, { ...one, steps }, { deployed, dialect, coverage });
    return coverage === undefined ? result : { ...result, coverage: coverage.lines() };
  } catch (error) {
    return { failure: errorText(error) };
  }
}

function genesisOf(contracts: string): TestState {
  const known = opened.get(contracts);
  if (known !== undefined) return known;
  const state = openGenesis(images[contracts]!, dialect);
  opened.set(contracts, state);
  return state;
}
