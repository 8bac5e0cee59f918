// The folders of the packages: `packages/<layer>/<package>`.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Lists the folders of all packages.
 *
 * @param {string} root of the checkout
 * @returns {string[]} paths below it, such as `packages/core/crypto`
 */
export function packageFolders(root) {
  const below = (folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
  return below("packages")
    .filter((layer) => !existsSync(join(root, layer, "package.json")))
    .flatMap(below)
    .filter((folder) => existsSync(join(root, folder, "package.json")));
}

/**
 * Finds the folder of a package by its name.
 *
 * @param {string} root of the checkout
 * @param {string} name such as `crypto`
 * @returns {string | undefined} path below the root
 */
export function packageFolder(root, name) {
  return packageFolders(root).find((folder) => folder.endsWith(`/${name}`));
}
