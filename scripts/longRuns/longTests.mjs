// Which tests take long, and what each of them covers.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * A package of the workspace.
 *
 * @typedef {object} Workspace
 * @property {string} folder below the root
 * @property {readonly string[]} dependencies names of packages
 */

/**
 * Finds all long tests.
 *
 * @param {string} root of the checkout
 * @returns {string[]} their paths below it, sorted
 */
export function longTests(root) {
  return packageFolders(root)
    .flatMap((folder) => filesBelow(root, `${folder}/src`))
    .filter((path) => path.endsWith(".long.test.ts"))
    .sort();
}

/**
 * Returns the pathspecs of all that a long test covers: the sources of its package and of all packages that this one
 * depends on, and the contracts. Test files of other packages are left out.
 *
 * @param {string} root of the checkout
 * @param {string} test path of the test below it
 * @returns {string[]} pathspecs of git
 */
export function coveredBy(root, test) {
  const own = /^(.*?)\/src\//.exec(test)[1];
  const all = workspaces(root);
  const folders = new Set([own]);
  // A set that grows while it is gone through is gone through to its end.
  for (const folder of folders)
    for (const name of [...all.values()].find((one) => one.folder === folder)?.dependencies ?? []) {
      const found = all.get(name);
      if (found !== undefined) folders.add(found.folder);
    }
  const others = [...folders].filter((folder) => folder !== own && folder !== "contracts");
  return [
    `:(glob)${own}/src/**`,
    ":(glob)contracts/**/*.rho",
    ...others.map((folder) => `:(glob)${folder}/src/**`),
    ...others.map((folder) => `:(exclude,glob)${folder}/src/**/*.test.ts`),
    ...others.map((folder) => `:(exclude,glob)${folder}/src/**/*.test.tsx`),
  ];
}

/**
 * @param {string} root
 * @returns {Map<string, Workspace>} by name
 */
function workspaces(root) {
  return new Map(
    packageFolders(root).map((folder) => {
      const { name, dependencies = {} } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
      return [name, { folder, dependencies: Object.keys(dependencies) }];
    }),
  );
}

/**
 * @param {string} root
 * @returns {string[]}
 */
function packageFolders(root) {
  const inside = readdirSync(join(root, "packages")).map((name) => `packages/${name}`);
  return [...inside, "contracts"].filter((folder) => existsSync(join(root, folder, "package.json")));
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
function filesBelow(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
    (name) => `${folder}/${name.replaceAll("\\", "/")}`,
  );
}
