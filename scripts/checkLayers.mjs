// Holds the tree against docs/reference/package-layout.md: who imports whom (manifests and every import), no circles, no attic.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const largestShare = 0.13;
/** Here recursion over the language, which contains itself, is the subject: taken apart it would be harder to read. */
const mayCircle = "packages/rholang/src/evaluate/";
const testingPackage = "testing";

const problems = [];
const { rows, developmentOnly } = readTable();
const places = new Map([
  ["contracts", "contracts"],
  ...readdirSync("packages").map((name) => [name, `packages/${name}`]),
]);
const files = new Map();
for (const [name, place] of places) {
  if (!rows.has(name)) problems.push(`${place} has no row in docs/reference/package-layout.md`);
  else checkManifest(name, place);
  for (const path of sourcesOf(place)) files.set(path, { package: name, ...read(path) });
}
for (const [path, file] of files) checkImports(path, file);
const { largest, share } = checkShares();
const circles = findCircles();
for (const circle of circles) problems.push(`import circle: ${circle.join(" → ")}`);

for (const problem of problems) console.error(problem);
console.log(
  `layers: ${rows.size} packages, ${files.size} files, largest ${largest} with ${(100 * share).toFixed(1)} % of the lines, ${problems.length} problems`,
);
process.exit(problems.length === 0 ? 0 : 1);

/** A row's packages stand above it. */
function readTable() {
  const [rows, developmentOnly] = [new Map(), new Set()];
  for (const line of readFileSync("docs/reference/package-layout.md", "utf8").split("\n")) {
    const row = /^\| `([a-z0-9-]+)` \| ([^|]*) \| ([^|]*)/.exec(line);
    if (row === null) continue;
    const [, name, allowed, about] = row;
    const imports = allowed.includes("nothing") ? [] : allowed.split(",").map((text) => text.trim());
    for (const one of imports)
      if (!rows.has(one))
        problems.push(`docs/reference/package-layout.md: ${name} imports ${one}, which stands below it`);
    rows.set(name, imports);
    if (about.includes("development only")) developmentOnly.add(name);
  }
  return { rows, developmentOnly };
}

function checkManifest(name, place) {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(`${place}/package.json`, "utf8"));
  const named = [...Object.keys(dependencies), ...Object.keys(devDependencies)]
    .filter((dependency) => dependency.startsWith("@vedette/"))
    .map((dependency) => dependency.slice("@vedette/".length));
  for (const one of named)
    if (one !== testingPackage && !rows.get(name).includes(one))
      problems.push(`${name} may not import ${one} (docs/reference/package-layout.md)`);
  for (const one of rows.get(name))
    if (!named.includes(one))
      problems.push(`docs/reference/package-layout.md says that ${name} imports ${one}; its manifest does not`);
}

function sourcesOf(place) {
  if (!existsSync(`${place}/src`)) return [];
  return readdirSync(`${place}/src`, { recursive: true })
    .map((name) => `${place}/src/${String(name).replaceAll("\\", "/")}`)
    .filter((path) => /\.tsx?$/.test(path) && !path.includes("/generated/"));
}

function read(path) {
  const text = readFileSync(path, "utf8");
  // Imports stand at the beginning of a line; what programs in texts import is theirs.
  const imports = [
    ...text.matchAll(/^(?:import|export)\b[^;"]*?from "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm),
  ].map(([, named, bare, late]) => named ?? bare ?? late);
  return { imports, lines: text.split("\n").length, isTest: /\.(test|bench)\.tsx?$|\/testing\//.test(path) };
}

function checkImports(path, { package: own, imports, isTest }) {
  const isProduct = !isTest && !developmentOnly.has(own);
  for (const name of imports) {
    const [, other, part] = /^@vedette\/([^/]+)(\/.*)?$/.exec(name) ?? [];
    if (other !== undefined && other !== own && other !== testingPackage && !rows.get(own)?.includes(other))
      problems.push(`${path} imports ${name}, which docs/reference/package-layout.md does not allow`);
    const isOfTests =
      other === testingPackage ||
      ["/testing", "/fakes"].includes(part) ||
      (name.startsWith(".") && name.includes("testing/"));
    if (isProduct && isOfTests) problems.push(`${path} is production code and imports ${name}`);
  }
}

function checkShares() {
  const lines = new Map();
  for (const { package: name, lines: count } of files.values()) lines.set(name, (lines.get(name) ?? 0) + count);
  const total = [...lines.values()].reduce((sum, count) => sum + count, 0);
  const [largest, most] = [...lines].sort(([, one], [, other]) => other - one)[0];
  const share = most / total;
  if (share > largestShare) problems.push(`${largest} has ${(100 * share).toFixed(1)} % of all lines`);
  return { largest, share };
}

/** Groups of files that reach each other, by Tarjan; types count. */
function findCircles() {
  const [order, low, stack, onStack, circles] = [new Map(), new Map(), [], new Set(), []];
  const targets = (path) =>
    files
      .get(path)
      .imports.filter((name) => name.startsWith("."))
      .map((name) => normalize(join(dirname(path), name)).replace(/\.js$/, ""))
      .flatMap((target) => [`${target}.ts`, `${target}.tsx`].filter((file) => files.has(file)));
  const visit = (path) => {
    order.set(path, order.size);
    low.set(path, order.get(path));
    stack.push(path);
    onStack.add(path);
    for (const target of targets(path)) {
      if (!order.has(target)) {
        visit(target);
        low.set(path, Math.min(low.get(path), low.get(target)));
      } else if (onStack.has(target)) low.set(path, Math.min(low.get(path), order.get(target)));
    }
    if (low.get(path) !== order.get(path)) return;
    const group = stack.splice(stack.indexOf(path));
    for (const one of group) onStack.delete(one);
    const isAllowed = group.every((one) => one.startsWith(mayCircle));
    if (group.length > 1 && !isAllowed) circles.push(group);
  };
  for (const path of files.keys()) if (!order.has(path)) visit(path);
  return circles;
}
