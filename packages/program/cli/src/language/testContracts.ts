import { existsSync, readFileSync, watch } from "node:fs";
import { dirname } from "node:path";
import type { DialectName } from "@vedette/config";
import {
  junitXml,
  lcov,
  phloDifferences,
  phloSnapshot,
  runTests,
  type TestFile,
  type TestResult,
} from "@vedette/devtools/contractTests";
import { errorText } from "@vedette/errors";
import { hasCases } from "@vedette/language";
import type { CommandHost } from "../client/CommandHost.js";
import { stepLines } from "../client/stepLines.js";
import { exitCodes } from "../exitCodes.js";
import { writeWhole } from "../WholeFile.js";
import { readSource, rholangFiles } from "./sourceFiles.js";

/** Options of `vedette test`. */
export interface TestCommandOptions {
  readonly dialect: DialectName;
  readonly filter?: string;
  readonly threads?: number;
  readonly timeLimit: number;
  readonly phloLimit?: bigint;
  readonly phloReport?: boolean;
  readonly costBaseline?: string;
  readonly update?: boolean;
  readonly junit?: string;
  readonly coverage?: string;
  readonly watch?: boolean;
  readonly json?: boolean;
}

/** Runs all cases once and prints the results. @returns the exit code */
export async function testContracts(
  paths: readonly string[],
  options: TestCommandOptions,
  host: Pick<CommandHost, "print">,
): Promise<number> {
  const { timeLimit: timeLimitMs, json = false, junit, coverage } = options;
  const files = testFiles(paths);
  const results = await runTests(files, { ...options, timeLimitMs, isCounted: coverage !== undefined }, (result) => {
    if (!json && result.problems.length > 0) host.print(failureText(result));
  });
  if (junit !== undefined) writeWhole(junit, junitXml(results));
  if (coverage !== undefined) writeWhole(coverage, lcov(results));
  const costs = compareCosts(results, options);
  const failed = results.filter(({ problems }) => problems.length > 0);
  if (json) host.print(jsonText(results, costs.lines));
  else {
    if (options.phloReport === true) host.print(phloReport(results));
    for (const line of costs.lines) host.print(line);
    host.print(summary(results.length, failed.length, files.length));
  }
  return failed.length === 0 && results.length > 0 && costs.isAsBefore ? exitCodes.success : exitCodes.failure;
}

/** Runs all cases, and again after each change, until interrupted. */
export async function watchContracts(
  paths: readonly string[],
  options: TestCommandOptions,
  host: CommandHost,
): Promise<void> {
  using interruption = host.interruption();
  let isDirty = true;
  let wake: (() => void) | undefined;
  const folders = new Set(paths.flatMap((path) => [path, ...rholangFiles([path]).map((file) => dirname(file))]));
  const watchers = [...folders].map((folder) =>
    watch(folder, (_, name) => {
      if (name?.endsWith(".rho") === false) return;
      isDirty = true;
      wake?.();
    }),
  );
  interruption.signal.addEventListener("abort", () => wake?.());
  while (!interruption.signal.aborted) {
    if (isDirty) {
      isDirty = false;
      await testContracts(paths, options, host);
      host.print("Waiting for changes; Ctrl-C ends.");
    } else
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
  for (const watcher of watchers) watcher.close();
}

function testFiles(paths: readonly string[]): TestFile[] {
  const named = new Set(paths);
  return rholangFiles(paths).flatMap((path): TestFile[] => {
    try {
      const text = readSource(path);
      return named.has(path) || hasCases(text) ? [{ path, text }] : [];
    } catch (error) {
      throw new Error(errorText(error), { cause: error });
    }
  });
}

interface Costs {
  readonly isAsBefore: boolean;
  readonly lines: readonly string[];
}

function compareCosts(results: readonly TestResult[], { costBaseline: snapshot, update }: TestCommandOptions): Costs {
  if (snapshot === undefined) return { isAsBefore: true, lines: [] };
  if (update === true || !existsSync(snapshot)) {
    writeWhole(snapshot, phloSnapshot(results));
    return { isAsBefore: true, lines: [`Wrote what each case cost to ${snapshot}`] };
  }
  const lines = phloDifferences(readFileSync(snapshot, "utf8"), results);
  const hint = `Its cost differs from ${snapshot}; --update writes it anew`;
  return { isAsBefore: lines.length === 0, lines: lines.length === 0 ? [] : [...lines, hint] };
}

function failureText({ file, name, problems, printed, trace = [] }: TestResult): string {
  const lines = problems.flatMap(({ message, expected, actual, line, column }) => {
    const place = column === undefined ? `${file}:${line}` : `${file}:${line}:${column}`;
    const values = expected === undefined ? [] : [`    expected  ${expected}`, `    actual    ${actual}`];
    return [`  ${place}: ${message.replaceAll("\n", "\n  ")}`, ...values];
  });
  const steps = trace.length === 0 ? [] : ["  its last steps:", ...stepLines(trace).map((line) => `    ${line}`)];
  return [`FAILED ${name}`, ...lines, ...printed.map((line) => `    ${line}`), ...steps].join("\n");
}

function phloReport(results: readonly TestResult[]): string {
  const width = Math.max(0, ...results.map(({ phlo }) => String(phlo).length));
  return results.map(({ file, name, phlo }) => `${String(phlo).padStart(width)}  ${file} › ${name}`).join("\n");
}

function summary(cases: number, failed: number, files: number): string {
  if (cases === 0) return "There are no cases: a case begins with a line `//: case <name>`";
  const where = `in ${files} ${files === 1 ? "file" : "files"}`;
  return `${cases - failed} passed, ${failed} failed ${where}`;
}

function jsonText(results: readonly TestResult[], costs: readonly string[]): string {
  const failed = results.filter(({ problems }) => problems.length > 0).length;
  const listed = results.map(({ phlo, coverage: _coverage, ...result }) => ({
    ...result,
    passed: result.problems.length === 0,
    phlo: String(phlo),
  }));
  return JSON.stringify({ passed: results.length - failed, failed, costs, results: listed });
}
