// Bundles the program of the checkout into packages/program/cli/dist/bundle, unless nothing that it is made of has changed.
// A process and each of its threads load a few files then in place of up to 2,400, which takes half the time.
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { filesBelow, hashOfFiles } from "./filesHash.mjs";
import { programWorkspace, root, workspaces } from "./release/checkout.mjs";

const dist = join(root, programWorkspace.folder, "dist");
const folder = join(dist, "bundle");
const stamp = join(dist, "bundle.stamp");
/** They look for files beside themselves: machine code, modules of threads. */
const outside = /^(lmdb|koffi|secp256k1|libsql|libpg-query|pino|vscode-languageserver)$/;

/** A process that runs may still load what it was built with. */
const keptMs = 86_400_000;

const state = hashOfFiles(inputs());
if (existsSync(folder) && existsSync(stamp) && readFileSync(stamp, "utf8") === state) process.exit(0);
const { bundleProgram } = await import("./release/programBundle.mjs");
const isModule = (path) => /^[^/]+(\/[^/]+\/[^/]+)?\/dist\/.*\.js$/.test(path);
await bundleProgram({
  folder,
  isOutside: (name) => outside.test(name),
  // The files that modules name beside themselves stay in place.
  placeOfFile: (path) => (isModule(path) ? undefined : relative(dist, join(root, path))),
});
for (const path of filesBelow(folder)) if (statSync(path).mtimeMs < Date.now() - keptMs) rmSync(path);
const lost = filesBelow(folder).find((path) => /\b__(dir|file)name\b/.test(readFileSync(path, "utf8")));
if (lost !== undefined) throw new Error(`${relative(root, lost)} looks for files beside itself: name them "outside"`);
writeFileSync(stamp, state);

function inputs() {
  const compiled = [...workspaces.values()]
    .map((workspace) => join(root, workspace.folder, "dist"))
    .filter((place) => existsSync(place))
    .flatMap(filesBelow);
  return [
    join(root, "package-lock.json"),
    ...["bundleProgram", "release/bundle", "release/moduleFiles", "release/programBundle"].map((name) =>
      join(root, `scripts/${name}.mjs`),
    ),
    ...[...workspaces.values()].map((workspace) => join(root, workspace.folder, "package.json")),
    ...compiled.filter((path) => /(?<!\.test)\.js$/.test(path) && !path.startsWith(folder) && !path.includes("/site/")),
  ];
}
