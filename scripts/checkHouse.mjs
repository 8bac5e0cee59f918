// Checks the house rules: sizes, words in names, private members, unused exports, and where a dialect may be chosen.
import { compare } from "./house/compare.mjs";
import { exceptions } from "./house/exceptions.mjs";
import { findUnusedExports, sourceRules } from "./house/rules.mjs";
import { findSizes } from "./house/sizes.mjs";
import { readSources } from "./house/sources.mjs";

const sources = readSources();
const found = [
  ...sources.flatMap((source) =>
    Object.entries(sourceRules).flatMap(([rule, { find }]) =>
      find(source).map((one) => ({ rule, path: source.path, ...one })),
    ),
  ),
  ...findUnusedExports(sources).map((one) => ({ rule: "unusedExports", ...one })),
  ...findSizes(),
];
const problems = compare(found, exceptions);
for (const problem of problems) console.error(problem);
const counts = new Map();
for (const { rule } of found) counts.set(rule, (counts.get(rule) ?? 0) + 1);
const known = [...counts].map(([rule, count]) => `${rule} ${count}`).sort();
console.log(`house: ${sources.length} files, ${problems.length} problems; exceptions: ${known.join(", ") || "none"}`);
process.exit(problems.length === 0 ? 0 : 1);
