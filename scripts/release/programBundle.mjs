// The program `vedette` as a few files: that of the process, and those of its threads.
import { basename, join } from "node:path";
import { bundle } from "./bundle.mjs";
import { programEntry, root, workspaces } from "./checkout.mjs";
import { moduleFiles } from "./moduleFiles.mjs";

const executor = join(root, workspaces.get("@vedette/executor").folder, "dist");
/**
 * Threads that begin while a query or a block waits for them. They share no file with the process: it loads other parts of
 * what they have in common, so that each would consist of some hundred files, which takes a fifth longer.
 */
const apart = ["reader/readerThread.js", "executor/executorThread.js"].map((path) => join(executor, path));

/**
 * Bundles the program into a folder.
 *
 * @param placeOfFile as of `moduleFiles`
 * @param isOutside as of `bundle`
 * @returns the folders of the workspaces that are in it
 */
export async function bundleProgram({ folder, placeOfFile, isOutside }) {
  const bundled = new Set();
  for (const entry of [programEntry, ...apart]) {
    const input = { [entry === programEntry ? "main" : basename(entry, ".js")]: entry };
    const plugins = [moduleFiles(placeOfFile, apart)];
    for (const workspace of await bundle({ input, folder, isOutside, plugins })) bundled.add(workspace);
  }
  return bundled;
}
