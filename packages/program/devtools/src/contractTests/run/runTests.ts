import { availableParallelism } from "node:os";
import type { CaseDialect } from "@vedette/execution";
import { type GenesisImage, prepareGenesis } from "./preparedGenesis.js";
import type { CaseProblem, CaseTraceStep } from "./runCase.js";
import { type TestDialect, testDialectOf } from "./TestDialect.js";
import { TestPool } from "./TestPool.js";
import { readTests } from "./testSource.js";
import type { Coverage } from "./testThread.js";

/** A file with its text. */
export interface TestFile {
  readonly path: string;
  readonly text: string;
}

/** How tests are to run. */
export interface TestOptions {
  /** Dialect of the network with the genesis on which the cases run; default rnode. */
  readonly dialect: CaseDialect;
  /** Side by side; as many as there are cores, and no more than 8, when left out. */
  readonly threads?: number | undefined;
  /** The time limit of a case. */
  readonly timeLimitMs: number;
  /** The phlo limit of every program, in place of the one in its case. */
  readonly phloLimit?: bigint | undefined;
  /** Whether it is counted what of the deployed programs runs; takes longer. */
  readonly isCounted?: boolean;
  /** Runs only cases with names that contain this. */
  readonly filter?: string | undefined;
}

/** A case, and what became of it. */
export interface TestResult {
  readonly file: string;
  readonly name: string;
  readonly line: number;
  readonly problems: readonly CaseProblem[];
  readonly phlo: bigint;
  readonly printed: readonly string[];
  /** The last steps of a program that failed. */
  readonly trace?: readonly CaseTraceStep[];
  /** Where it is counted, and the case came to its end. */
  readonly coverage?: Coverage;
  readonly ms: number;
}

const maxThreads = 8;

/**
 * Runs the cases of files, each on a separate state.
 *
 * @param report receives each result as soon as it is there
 * @returns all results in the order of the files; a file that cannot be read has one, which failed
 */
export async function runTests(
  files: readonly TestFile[],
  { threads, timeLimitMs, phloLimit, filter, isCounted = false, dialect }: TestOptions,
  report: (result: TestResult) => void = () => {},
): Promise<TestResult[]> {
  const count = Math.min(threads ?? availableParallelism(), maxThreads);
  const images: Record<string, GenesisImage> = {};
  const lists = files.map((file) => ({ ...file, listed: listCases(file, images, testDialectOf(dialect)) }));
  using pool = new TestPool({ images, dialect }, count, timeLimitMs);
  const running = lists.flatMap(({ path, text, listed }) => {
    if ("failed" in listed) return [Promise.resolve(listed.failed)];
    return listed.cases
      .filter(({ name }) => filter === undefined || name.includes(filter))
      .map(async ({ name, line, index }): Promise<TestResult> => {
        const start = performance.now();
        const answer = await pool.run({ file: path, text, index, phloLimit, isCounted });
        const ms = Math.round(performance.now() - start);
        const failed =
          "failure" in answer ? { problems: [{ message: answer.failure, line }], phlo: 0n, printed: [] } : answer;
        return { file: path, name, line, ...failed, ms } as TestResult;
      });
  });
  return await Promise.all(
    running.map(async (one) => {
      const result = await one;
      report(result);
      return result;
    }),
  );
}

interface ListedCase {
  readonly name: string;
  readonly line: number;
  readonly index: number;
}

/** @param images gets the genesis that the file wants */
function listCases(
  { path: file, text }: TestFile,
  images: Record<string, GenesisImage>,
  dialect: TestDialect,
): { readonly cases: ListedCase[] } | { readonly failed: TestResult } {
  try {
    const { cases, contracts } = readTests(file, text, dialect.name);
    images[contracts.join(" ")] ??= prepareGenesis(contracts, dialect);
    return { cases: cases.map(({ name, steps }, index) => ({ name, line: steps[0]!.line - 1, index })) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const facts = { file, name: "(the file)", line: 1, phlo: 0n, printed: [], ms: 0 };
    return { failed: { ...facts, problems: [{ message, line: 1 }] } };
  }
}
