import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The programs in recorded vectors, each once. */
export function recordedPrograms(directory: string): ReadonlySet<string> {
  const programs = new Set<string>();
  for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".jsonl")) continue;
    for (const line of readFileSync(join(directory, name), "utf8").split("\n")) {
      const term = line === "" ? undefined : (JSON.parse(line) as { term?: unknown }).term;
      if (typeof term === "string") programs.add(term);
    }
  }
  return programs;
}
