import { relative } from "node:path";
import type { DialectName } from "@vedette/config";
import { errorText } from "@vedette/errors";
import type { PrintLine } from "../checkProof.js";
import { exitCodes } from "../exitCodes.js";
import type { VectorFileResult } from "./tallyVectors.js";
import { VectorSuite } from "./VectorSuite.js";

/** `vedette vectors <path>`: compares this build's answers with recorded ones of rnode. */
export interface VectorsCommand {
  readonly command: "vectors";
  readonly path: string;
  readonly maxDifferences: number;
  /** `undefined`: the dialect that the vectors state. */
  readonly dialect: DialectName | undefined;
}

/** Checks all vectors below a path. @param print a line @returns the exit code */
export function checkVectors({ path, maxDifferences, dialect }: VectorsCommand, print: PrintLine): number {
  const suite = new VectorSuite(path, dialect);
  if (suite.files.length === 0) {
    print(`no vectors in ${path}: expected files named parse*, eval*, match*, state* (.jsonl or .jsonl.gz)`);
    return exitCodes.failure;
  }
  const totals = { passed: 0, failed: 0, notDetermined: 0, knownFailures: 0, damaged: 0 };
  const damaged = new Map(suite.damagedFiles.map((file) => [file.path, file.reason]));
  for (const [file, reason] of damaged) print(`${relative(path, file) || file}: damaged: ${reason}`);
  totals.damaged = damaged.size;
  for (const file of suite.files) {
    if (damaged.has(file)) continue;
    const name = relative(path, file) || file;
    let result: VectorFileResult;
    try {
      result = suite.check(file);
    } catch (error) {
      print(`${name}: cannot be read: ${errorText(error)}`);
      totals.damaged += 1;
      continue;
    }
    totals.passed += result.passed;
    for (const kind of ["failed", "notDetermined", "knownFailures"] as const) totals[kind] += result[kind].length;
    printResult(name, result, maxDifferences, print);
  }
  print(`${suite.files.length} files, ${countText(totals)}`);
  return totals.failed + totals.damaged === 0 ? exitCodes.success : exitCodes.failure;
}

function printResult(name: string, result: VectorFileResult, maxDifferences: number, print: PrintLine): void {
  const { passed, failed, notDetermined, knownFailures } = result;
  const counts = { passed, failed: failed.length, notDetermined: notDetermined.length };
  print(`${name}: ${countText({ ...counts, knownFailures: knownFailures.length, damaged: 0 })}`);
  for (const id of notDetermined) print(`  ${id} is not determined`);
  for (const { id, differences } of failed.slice(0, maxDifferences)) {
    print(`  ${id}`);
    for (const difference of differences) print(`    ${difference.replaceAll("\n", "\n    ")}`);
  }
  const hidden = failed.length - maxDifferences;
  if (hidden > 0) print(`  and ${hidden} more`);
}

/** Describes the counts; those that are rare only where there are some. */
function countText(
  counts: Readonly<Record<"passed" | "failed" | "notDetermined" | "knownFailures" | "damaged", number>>,
) {
  const { passed, failed, notDetermined, knownFailures, damaged } = counts;
  return [
    `${passed} passed, ${failed} failed`,
    ...(knownFailures === 0 ? [] : [`${knownFailures} known failures`]),
    ...(notDetermined === 0 ? [] : [`${notDetermined} not determined`]),
    ...(damaged === 0 ? [] : [`${damaged} damaged files`]),
  ].join(", ");
}
