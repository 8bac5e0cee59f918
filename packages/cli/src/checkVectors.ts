import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { DialectName } from "@vedette/config";
import { checkSystemDeploys, isSystemDeployFile } from "@vedette/execution";
import { rustVectors, scalaVectors, VectorChecks, type VectorFileResult, vectorKindOf } from "@vedette/rholang";
import type { PrintLine } from "./checkProof.js";
import { exitCodes } from "./exitCodes.js";

/** `vedette vectors <directory>`: recorded answers of the reference against this build's. */
export interface VectorsCommand {
  readonly command: "vectors";
  readonly path: string;
  readonly mostDifferences: number;
  readonly dialect: DialectName;
}

/** Ids of vectors of which the reference itself gives now this answer, now that; above the vectors. */
const undeterminedFile = "not-determined.json";

/** What the command checks one file with. @returns `undefined` where the file holds no vectors */
type CheckFile = (file: string, text: string) => VectorFileResult | undefined;

/** Checks all vectors below a path. @param print a line @returns the exit code */
export function checkVectors({ path, mostDifferences, dialect }: VectorsCommand, print: PrintLine): number {
  const files = vectorFiles(path, dialect);
  if (files.length === 0) {
    print(`${path} holds no vectors (files named parse*.jsonl, eval*.jsonl, match*.jsonl or state*.jsonl)`);
    return exitCodes.failure;
  }
  const checkFile = checksOf(dialect, undeterminedIds(path));
  let failures = 0;
  let checked = 0;
  let notDetermined = 0;
  for (const file of files) {
    const result = checkFile(file, readFileSync(file, "utf8"))!;
    checked += result.checked;
    failures += result.failed.length;
    notDetermined += result.notDetermined.length;
    printResult(relative(path, file) || file, result, mostDifferences, print);
  }
  const other = notDetermined === 0 ? "" : `, ${notDetermined} not determined`;
  print(`${files.length} files, ${checked - failures - notDetermined} passed, ${failures} failed${other}`);
  return failures === 0 ? exitCodes.success : exitCodes.failure;
}

function checksOf(dialect: VectorsCommand["dialect"], undetermined: ReadonlySet<string>): CheckFile {
  if (dialect === "rnode-scala") {
    const checks = new VectorChecks(scalaVectors, undetermined);
    return (file, text) => checks.file(file, text);
  }
  const checks = new VectorChecks(rustVectors, undetermined);
  return (file, text) => (isSystemDeployFile(file) ? checkSystemDeploys(text) : checks.file(file, text));
}

function printResult(name: string, result: VectorFileResult, mostDifferences: number, print: PrintLine): void {
  const { checked, failed, notDetermined } = result;
  const other = notDetermined.length === 0 ? "" : `, ${notDetermined.length} not determined`;
  print(`${name}: ${checked - failed.length - notDetermined.length} passed, ${failed.length} failed${other}`);
  for (const id of notDetermined) print(`  ${id} is not determined`);
  for (const { id, differences } of failed.slice(0, mostDifferences)) {
    print(`  ${id}`);
    for (const difference of differences) print(`    ${difference.replaceAll("\n", "\n    ")}`);
  }
  const hidden = failed.length - mostDifferences;
  if (hidden > 0) print(`  and ${hidden} more`);
}

function undeterminedIds(path: string): ReadonlySet<string> {
  const file = nearest(statSync(path).isFile() ? dirname(path) : path);
  return new Set(file === undefined ? [] : (JSON.parse(readFileSync(file, "utf8")) as string[]));
}

/** In the directory or one above, as far as two levels. */
function nearest(directory: string): string | undefined {
  for (const above of [".", "..", "../.."]) {
    const file = join(directory, above, undeterminedFile);
    if (existsSync(file)) return file;
  }
  return undefined;
}

function vectorFiles(path: string, dialect: VectorsCommand["dialect"]): string[] {
  const holdsVectors = (file: string) =>
    vectorKindOf(file) !== undefined || (dialect === "rnode-rust" && isSystemDeployFile(file));
  if (statSync(path).isFile()) return holdsVectors(path) ? [path] : [];
  return readdirSync(path, { recursive: true })
    .map((name) => join(path, String(name)))
    .filter(holdsVectors)
    .sort();
}
