// Compares the dependencies of every package with the table of docs/layout.md.
import { readdirSync, readFileSync } from "node:fs";

const table = new Map();
for (const line of readFileSync("docs/layout.md", "utf8").split("\n")) {
  const row = /^\| `([a-z-]+)` \| ([^|]*) \|/.exec(line);
  if (row === null) continue;
  table.set(row[1], row[2].includes("nothing") ? [] : row[2].split(",").map((name) => name.trim()));
}

const problems = [];
const places = new Map([
  ["contracts", "contracts"],
  ...readdirSync("packages").map((name) => [name, `packages/${name}`]),
]);
for (const [name, place] of places) {
  const manifest = JSON.parse(readFileSync(`${place}/package.json`, "utf8"));
  const allowed = table.get(name);
  if (allowed === undefined) {
    problems.push(`${place} has no row in docs/layout.md`);
    continue;
  }
  const actual = Object.keys(manifest.dependencies ?? {})
    .filter((dependency) => dependency.startsWith("@vedette/"))
    .map((dependency) => dependency.slice("@vedette/".length));
  for (const dependency of actual)
    if (!allowed.includes(dependency)) problems.push(`${name} may not import ${dependency} (docs/layout.md)`);
}

for (const problem of problems) console.error(problem);
console.log(`layers: ${table.size} packages, ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
