// A setup file of vitest: names the running test to the evidence, and has it written when the test or a hook fails.
import { relative } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, type RunnerTestSuite } from "vitest";
import { processEvidence } from "./processEvidence.js";

const root = process.cwd();

// biome-ignore lint/correctness/noEmptyPattern: vitest wants a pattern there, and nothing of the context is used.
beforeAll(({}, suite) => {
  processEvidence.begin({ file: relative(root, suite.file.filepath), titles: ["its hooks"] });
});

beforeEach(({ task }) => {
  const titles = [task.name];
  // The outermost one is the file.
  for (let suite = task.suite; suite !== undefined; suite = suite.suite) titles.unshift(suite.name);
  processEvidence.begin({ file: relative(root, task.file.filepath), titles });
});

afterEach(async ({ task }) => {
  const folder = await processEvidence.end(task.result?.state === "fail");
  if (folder !== undefined) report(folder, task.result);
});

// biome-ignore lint/correctness/noEmptyPattern: vitest wants a pattern there, and nothing of the context is used.
afterAll(async ({}, suite) => {
  const failed = suitesWithin(suite).filter(({ result }) => (result?.errors?.length ?? 0) > 0);
  const folder = await processEvidence.end(failed.length > 0);
  if (folder !== undefined) for (const { result } of failed) report(folder, result);
});

/** A suite and all those in it. */
function suitesWithin(suite: RunnerTestSuite): RunnerTestSuite[] {
  return [suite, ...suite.tasks.flatMap((task) => (task.type === "suite" ? suitesWithin(task) : []))];
}

/** Names the folder in each error, and beside what the test prints. */
function report(folder: string, result: RunnerTestSuite["result"]): void {
  const place = `Output of its processes: ${relative(root, folder)}`;
  for (const error of result?.errors ?? []) error.message += `\n${place}`;
  process.stderr.write(`${place}\n`);
}
