// Which tests take long, and what each of them covers.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { packageFolders } from "../packageFolders.mjs";
import { pathsOf } from "./movedFolders.mjs";

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
  return workspaceFolders(root)
    .flatMap((folder) => filesBelow(root, `${folder}/src`))
    .filter((path) => path.endsWith(".long.test.ts"))
    .sort();
}

/** A line of a long test that names the packages, or folders of packages, which it is about: "Covers: node, queries/events". */
const coversLine = /^\/\/ Covers: ([\w/-]+(?:, [\w/-]+)*)$/m;

/**
 * Returns the pathspecs of all that a long test covers: its folder, the sources of the packages that its line "Covers:"
 * names, and the contracts. Without that line: the sources of its package and of all packages that this one depends on,
 * and the contracts. Test files of other packages are left out, and those of a package that the line names. Paths that
 * these had before count as well.
 *
 * @param {string} root of the checkout
 * @param {string} test path of the test below it
 * @returns {string[]} pathspecs of git
 * @throws {Error} if the line names a package that is not there
 */
export function coveredBy(root, test) {
  const all = workspaces(root);
  const named = coversLine.exec(readFileSync(join(root, test), "utf8"))?.[1].split(", ");
  const own = named === undefined ? /^(.*?\/src)\//.exec(test)[1] : posix.dirname(test);
  const folders =
    named === undefined
      ? withDependencies(all, own.slice(0, -"/src".length)).map((folder) => `${folder}/src`)
      : named.map((name) => sourcesOf(root, all, name) ?? unknownPackage(test, name));
  const others = folders.filter((folder) => folder !== own && folder !== "contracts/src").flatMap(pathsOf);
  return [
    ...pathsOf(own).map((folder) => `:(glob)${folder}/**`),
    ":(glob)contracts/**/*.rho",
    ...others.map((folder) => `:(glob)${folder}/**`),
    ...others.map((folder) => `:(exclude,glob)${folder}/**/*.test.ts`),
    ...others.map((folder) => `:(exclude,glob)${folder}/**/*.test.tsx`),
  ];
}

/**
 * @param {string} root
 * @param {ReadonlyMap<string, Workspace>} all
 * @param {string} name of a package, or `package/folder` for a folder of its sources
 * @returns {string | undefined} the folder of these sources, if it is there
 */
function sourcesOf(root, all, name) {
  const [first, ...parts] = name.split("/");
  const folder = all.get(`@vedette/${first}`)?.folder;
  if (folder === undefined) return undefined;
  const sources = [folder, "src", ...parts].join("/");
  return parts.length === 0 || existsSync(join(root, sources)) ? sources : undefined;
}

/**
 * @param {ReadonlyMap<string, Workspace>} all
 * @param {string} folder of a package
 * @returns {string[]} it and the folders of all packages that it depends on
 */
function withDependencies(all, folder) {
  const folders = new Set([folder]);
  // A set that grows while it is gone through is gone through to its end.
  for (const one of folders)
    for (const name of [...all.values()].find((workspace) => workspace.folder === one)?.dependencies ?? []) {
      const found = all.get(name);
      if (found !== undefined) folders.add(found.folder);
    }
  return [...folders];
}

/**
 * @param {string} test
 * @param {string} name
 * @returns {never}
 */
function unknownPackage(test, name) {
  throw new Error(`${test} says that it covers the package ${name}, which is not there`);
}

/**
 * @param {string} root
 * @returns {Map<string, Workspace>} by name
 */
function workspaces(root) {
  return new Map(
    workspaceFolders(root).map((folder) => {
      const { name, dependencies = {} } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
      return [name, { folder, dependencies: Object.keys(dependencies) }];
    }),
  );
}

/**
 * @param {string} root
 * @returns {string[]}
 */
function workspaceFolders(root) {
  return [...packageFolders(root), "contracts"].filter((folder) => existsSync(join(root, folder, "package.json")));
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
