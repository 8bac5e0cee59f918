// The npm package `vedette`: our own code bundled, what strangers wrote as dependencies in the versions of our lock.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCheckpoint } from "../../packages/services/light/dist/client/Checkpoint.js";
import { ownManifest, programWorkspace, root, version, workspaces } from "./checkout.mjs";
import { foreignDependencies, lockFor } from "./lockedTree.mjs";
import { bundleProgram } from "./programBundle.mjs";

const program = join(root, programWorkspace.folder, programWorkspace.manifest.bin.vedette);
const startText = readFileSync(program, "utf8");
const [, bundlePath] = /import\("(\.\.\/dist\/[^"]+)"\)/.exec(startText);

/** Puts the package together in a folder, ready for `npm pack`. */
export async function stageProgram(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "bin"), { recursive: true });
  const bundled = await bundleProgram({ folder: join(folder, "dist"), placeOfFile: (path) => placesOfFiles[path] });
  writeFileSync(join(folder, "bin/vedette.js"), startText.replace(bundlePath, "../dist/main.js"));
  chmodSync(join(folder, "bin/vedette.js"), 0o755);
  mkdirSync(join(folder, "contracts"));
  for (const name of readdirSync(join(root, "contracts")).filter((name) =>
    /\.(rhox?|changes)$|^README\.md$/.test(name),
  ))
    copyFileSync(join(root, "contracts", name), join(folder, "contracts", name));
  copyCheckpoints(join(root, "checkpoints"), join(folder, "checkpoints"));
  // The files that a node serves below `/guide`.
  cpSync(join(root, "docs"), join(folder, "docs"), { recursive: true });
  cpSync(join(root, siteFolder), join(folder, "explorer"), { recursive: true });
  for (const name of ["README.md", "LICENSE"]) copyFileSync(join(root, name), join(folder, name));
  const manifest = {
    name: "vedette",
    version,
    description: programDescription,
    keywords: ["rnode", "rholang", "casper", "blockchain", "node"],
    license: ownManifest.license,
    type: "module",
    bin: { vedette: "bin/vedette.js" },
    files: ["bin", "dist", "checkpoints", "contracts", "docs", "explorer", "npm-shrinkwrap.json"],
    engines: ownManifest.engines,
    dependencies: foreignDependencies(bundled),
  };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(folder, "npm-shrinkwrap.json"), `${JSON.stringify(lockFor(manifest), null, 2)}\n`);
}

/** Copies the checkpoints of networks. @throws {LightError} for a file that is none */
function copyCheckpoints(from, to) {
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    if (name.endsWith(".json")) readCheckpoint(JSON.parse(readFileSync(join(from, name), "utf8")));
    copyFileSync(join(from, name), join(to, name));
  }
}

const programDescription = "A node for rnode-family blockchain networks, and what goes with it";

/** The built explorer, which the node serves. */
const siteFolder = "packages/services/explorer/dist/site";

/** Files that modules name by their own place, and where they lie beside the bundle. */
const placesOfFiles = {
  [`${programWorkspace.folder}/bin/vedette.js`]: "bin/vedette.js",
  ...Object.fromEntries([...workspaces.values()].map(({ folder }) => [`${folder}/package.json`, "package.json"])),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as the module writes it
  "contracts/${name}": "contracts/${name}",
  checkpoints: "checkpoints",
  docs: "docs",
  "README.md": "README.md",
  "contracts/README.md": "contracts/README.md",
  [siteFolder]: "explorer",
};

/** Packs a staged package. @returns the path of the tarball */
export function pack(folder, destination) {
  const text = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", destination], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [{ filename }] = JSON.parse(text);
  return join(destination, filename);
}
