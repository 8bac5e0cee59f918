import { resolve } from "node:path";
import type { TestResult } from "../run/runTests.js";

/**
 * Writes the lines of the deployed programs that ran in some case, as a tracefile of lcov. It has a record for each
 * program, with its lines that have a send or a receive, and how often one of them began.
 */
export function lcov(results: readonly TestResult[]): string {
  const programs = new Map<string, Map<number, number>>();
  for (const { coverage } of results)
    for (const [path, lines] of coverage ?? []) {
      const all = programs.get(resolve(path)) ?? new Map<number, number>();
      for (const [line, count] of lines) all.set(line, (all.get(line) ?? 0) + count);
      programs.set(resolve(path), all);
    }
  return [...programs]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, lines]) =>
      recordOf(
        path,
        [...lines].sort(([one], [other]) => one - other),
      ),
    )
    .join("");
}

function recordOf(path: string, lines: readonly (readonly [line: number, count: number])[]): string {
  const hit = lines.filter(([, count]) => count > 0).length;
  const records = lines.map(([line, count]) => `DA:${line},${count}`);
  return `${["TN:", `SF:${path}`, ...records, `LF:${lines.length}`, `LH:${hit}`, "end_of_record"].join("\n")}\n`;
}
