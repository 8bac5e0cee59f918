// Compares the tree with the table of layers: allowed imports (manifests and source), no circles, no package too large.
// With `--write` the page of the layout is written from the table.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { withTables } from "./layers/page.mjs";
import { layers } from "./layers/table.mjs";
import { packageFolders } from "./packageFolders.mjs";

const largestShare = 0.13;
/** Here recursion over the language, which contains itself, is the subject: taken apart it would be harder to read. */
const mayCircle = "packages/core/rholang/src/evaluate/";
const testingPackage = "testing";
const pagePath = "docs/reference/package-layout.md";
const tablePath = "scripts/layers/table.mjs";

const problems = [];
/** By name, in the order of the table; the contracts are below all layers. */
const rows = new Map([["contracts", { name: "contracts", folder: "contracts", imports: [], tests: [] }]]);
for (const layer of layers)
  for (const row of layer.packages)
    rows.set(row.name, {
      ...row,
      folder: `packages/${layer.name}/${row.name}`,
      isProduct: layer.name !== "development",
    });
checkTable();
const files = new Map();
for (const row of rows.values()) {
  if (!existsSync(row.folder)) continue;
  for (const path of sourcesOf(row.folder)) files.set(path, { row, ...read(path) });
  checkUses(row);
}
for (const [path, file] of files) checkImports(path, file);
const { largest, share } = checkShares();
for (const circle of findCircles()) problems.push(`import circle: ${circle.join(" → ")}`);
checkPage();

for (const problem of problems) console.error(problem);
console.log(
  `layers: ${rows.size} packages, ${files.size} files, largest ${largest} with ${(100 * share).toFixed(1)} % of the lines, ${problems.length} problems`,
);
process.exit(problems.length === 0 ? 0 : 1);

/** Checks that every package has a row, and that rows import only earlier rows: of a lower layer or the same one. */
function checkTable() {
  const known = new Set([...rows.values()].map(({ folder }) => folder));
  const found = new Set(packageFolders("."));
  for (const folder of found) if (!known.has(folder)) problems.push(`${folder} has no row in ${tablePath}`);
  for (const folder of known)
    if (folder !== "contracts" && !found.has(folder)) problems.push(`${tablePath}: there is no ${folder}`);
  const before = new Set();
  for (const { name, imports } of rows.values()) {
    for (const one of imports)
      if (!before.has(one))
        problems.push(`${tablePath}: ${name} imports ${one}, which is on a higher layer or below it`);
    before.add(name);
  }
}

/** Checks that a row lists exactly the imports of the code and of the manifest. */
function checkUses({ name, folder, imports, tests }) {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const ours = (names) => Object.keys(names).flatMap((one) => /^@vedette\/(.*)/.exec(one)?.[1] ?? []);
  const [named, forTests] = [ours(dependencies), ours(devDependencies)];
  const own = [...files].filter(([, { row }]) => row.name === name).map(([, file]) => file);
  const used = (isOfTests) => new Set(own.filter(isOfTests).flatMap((file) => file.packages));
  // A site that is built has all that it imports for its build alone.
  const isSite = named.length === 0;
  compare(
    `${name} imports`,
    imports,
    used(({ isTest }) => !isTest || !rows.get(name).isProduct),
  );
  compare(`${name} depends on`, imports, new Set(isSite ? forTests.filter((one) => imports.includes(one)) : named));
  const ofTests = forTests.filter((one) => !(isSite && imports.includes(one)) && one !== testingPackage);
  compare(`${name} depends for tests on`, tests, new Set(ofTests));
  const byTests = used(({ isTest }) => isTest);
  for (const one of tests)
    if (!byTests.has(one)) problems.push(`${tablePath}: the tests of ${name} do not import ${one}`);
}

function compare(what, expected, found) {
  for (const one of expected) if (!found.has(one)) problems.push(`${tablePath} says that ${what} ${one}; it does not`);
  for (const one of found)
    if (!expected.includes(one) && one !== testingPackage)
      problems.push(`${what} ${one}, which ${tablePath} does not say`);
}

function sourcesOf(place) {
  if (!existsSync(`${place}/src`)) return [];
  return readdirSync(`${place}/src`, { recursive: true })
    .map((name) => `${place}/src/${String(name).replaceAll("\\", "/")}`)
    .filter((path) => /\.tsx?$/.test(path) && !path.includes("/generated/"));
}

function read(path) {
  const text = readFileSync(path, "utf8");
  // Imports begin a line; those of programs in texts do not count.
  const imports = [
    ...text.matchAll(/^(?:import|export)\b[^;"]*?from "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm),
  ].map(([, named, bare, late]) => named ?? bare ?? late);
  const packages = imports.flatMap((name) => /^@vedette\/([^/]+)/.exec(name)?.[1] ?? []);
  const isTest = /\.(test|bench)\.tsx?$|\/testing\//.test(path);
  return { imports, packages, lines: text.split("\n").length, isTest };
}

function checkImports(path, { row, imports, isTest }) {
  const isProduct = !isTest && row.isProduct;
  const allowed = [row.name, testingPackage, ...row.imports, ...(isTest ? row.tests : [])];
  for (const name of imports) {
    const [, other, part] = /^@vedette\/([^/]+)(\/.*)?$/.exec(name) ?? [];
    if (other === row.name) problems.push(`${path} imports its own package by name: ${name}`);
    if (other !== undefined && !allowed.includes(other))
      problems.push(`${path} imports ${name}, which ${tablePath} does not allow`);
    const isOfTests =
      other === testingPackage ||
      /^\/(?:\w+T|t)esting$|^\/fakes$/.test(part ?? "") ||
      (name.startsWith(".") && name.includes("testing/"));
    if (isProduct && isOfTests) problems.push(`${path} is production code and imports ${name}`);
  }
}

function checkShares() {
  const lines = new Map();
  for (const { row, lines: count } of files.values()) lines.set(row.name, (lines.get(row.name) ?? 0) + count);
  const total = [...lines.values()].reduce((sum, count) => sum + count, 0);
  const [largest, most] = [...lines].sort(([, one], [, other]) => other - one)[0];
  const share = most / total;
  if (share > largestShare) problems.push(`${largest} has ${(100 * share).toFixed(1)} % of all lines`);
  return { largest, share };
}

function checkPage() {
  const page = readFileSync(pagePath, "utf8");
  const written = withTables(page, layers);
  if (process.argv.includes("--write")) writeFileSync(pagePath, written);
  else if (page !== written) problems.push(`${pagePath} is not what ${tablePath} says: npm run layers -- --write`);
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
