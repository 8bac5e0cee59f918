// Lists the licences of everything that a node is installed with, from the lockfile. `--check` compares instead.
import { readFileSync, writeFileSync } from "node:fs";

const path = "docs/reference/licences.md";
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const byLicence = new Map();
for (const [place, { version, license, dev, link }] of Object.entries(packages)) {
  if (!place.startsWith("node_modules/") || dev === true || link === true) continue;
  const name = place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
  const names = byLicence.get(license ?? "unknown") ?? new Set();
  byLicence.set(license ?? "unknown", names.add(`${name} ${version}`));
}

const sections = [...byLicence]
  .sort(([one], [other]) => (one < other ? -1 : 1))
  .map(([licence, names]) => `## ${licence}\n\n${[...names].sort().join(", ")}\n`);
const text = `# Licences

What a node is installed with besides its own code (Apache-2.0), by licence. Made from the lockfile by \`npm run licences\`; a bill of materials (CycloneDX) is made by \`npm run -s sbom\`.

${sections.join("\n")}`;

if (!process.argv.includes("--check")) writeFileSync(path, text);
else if (readFileSync(path, "utf8") !== text) {
  console.error(`${path} is not what the lockfile says; run \`npm run licences\``);
  process.exit(1);
}
