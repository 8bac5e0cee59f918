// A reporter for vitest: what a run compared with rnode nodes, and what it left out and why.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const packages = fileURLToPath(new URL("../packages", import.meta.url));

/** Prints its lines below those of the default reporter. */
// biome-ignore lint/style/noDefaultExport: a reporter is one.
export default class RunSummary {
  async onTestRunEnd(modules) {
    const { findRecordings } = await import("../packages/development/testing/dist/findRecordings.js");
    const hasRecordings = findRecordings() !== undefined;
    for (const line of [...vectorLines(modules), ...leftOutLines(modules, hasRecordings)]) console.log(line);
  }
}

/** Adds up the recorded answers that were compared, for each node that gave them. */
function vectorLines(modules) {
  const sets = new Map();
  for (const module of modules)
    for (const test of module.children.allTests()) {
      const { vectors } = test.meta();
      if (vectors === undefined) continue;
      const sum = sets.get(vectors.set) ?? { checked: 0, passed: 0, knownFailures: 0 };
      for (const count of Object.keys(sum)) sum[count] += vectors[count];
      sets.set(vectors.set, sum);
    }
  return [...sets].map(([set, { checked, passed, knownFailures }]) => {
    const known = knownFailures === 0 ? "" : `, ${knownFailures} known failures (vectors/${set}/suite.json)`;
    return `     Vectors  ${set}: ${passed} of ${checked} answers are as recorded${known}`;
  });
}

/** Programs that a machine may lack and that single tests of the default run need. */
const optionalPrograms = [{ name: "OpenSSL", isThere: () => answers("openssl") }];

function answers(program) {
  return spawnSync(program, ["version"], { stdio: "ignore" }).error === undefined;
}

/** Returns lines for the tests that were left out, with the reason; none for a run of chosen files. */
function leftOutLines(modules, hasRecordings) {
  const missing = optionalPrograms.filter(({ isThere }) => !isThere()).map(({ name }) => name);
  const programs =
    missing.length === 0 ? [] : [`    Left out  tests that need ${missing.join(", ")}: not installed here`];
  return modules.length < 10 ? [] : [...programs, ...(hasRecordings ? [] : recordedLines(modules))];
}

function recordedLines(modules) {
  const names = readdirSync(packages, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".test.ts") && !/(^|\/)(node_modules|dist)\//.test(name),
  );
  const suffixes = new Set(modules.map(({ moduleId }) => kindOf(moduleId)));
  const left = names.filter((name) => name.includes(".recorded.") && suffixes.has(kindOf(name)));
  if (left.length === 0) return [];
  const halves = names.filter((name) => readFileSync(join(packages, name), "utf8").includes("areRecordingsThere"));
  const own = halves.filter((name) => suffixes.has(kindOf(name)));
  return [
    `    Left out  ${left.length} suites (*.recorded.*) and a part of ${own.length}: they compare with recordings of rnode nodes, which VEDETTE_SHARED does not name and which are not in ../shared`,
  ];
}

/** The kind of a test file: `process`, `network` …, or nothing for a test of the default run. */
function kindOf(path) {
  return /\.(process|network|long|browser|release)\.test\.ts$/.exec(path)?.[1] ?? "";
}
