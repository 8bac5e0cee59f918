// Sizes of files and functions, as the linter counts them by the options in biome.json.
import { spawnSync } from "node:child_process";
import { isProduct } from "./rules.mjs";

const rules = [
  "complexity/noExcessiveCognitiveComplexity",
  "complexity/noExcessiveLinesPerFunction",
  "complexity/useMaxParams",
  "style/noExcessiveLinesPerFile",
];

/** Returns the files that are too large, and functions in product code, since the body of `describe` is a function. */
export function findSizes() {
  const places = ["packages", "contracts", "examples", "editors", "scripts"];
  const options = [...rules.map((rule) => `--only=${rule}`), "--max-diagnostics=none", "--reporter=json"];
  const biome = "node_modules/@biomejs/biome/bin/biome";
  const lint = [biome, "lint", ...options, ...places];
  const { stdout, stderr, status } = spawnSync(process.execPath, lint, { encoding: "utf8", maxBuffer: 2 ** 27 });
  // There are no errors, since the rules are no errors by themselves.
  if (status !== 0) throw new Error(`biome ended with ${status}: ${stderr}`);
  return JSON.parse(stdout).diagnostics.flatMap(({ category, message, location }) => {
    const rule = category.split("/").at(-1);
    const isOfFile = rule === "noExcessiveLinesPerFile";
    const { path, start } = location;
    if (!rules.some((one) => category.endsWith(one)) || !(isOfFile || isProduct(path))) return [];
    return [{ rule, path, line: start.line, what: message }];
  });
}
