// A folder that needs nothing of the machine but Linux on x64 with glibc: the program, what it imports, a Node.js.
import { chmodSync, copyFileSync, cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { filesFolder, root } from "./checkout.mjs";
import { nodeFolder, ownNode } from "./nodeBinary.mjs";

/** @param app made by `makeApp` @param cache for Node.js */
export function makeLinuxFolder(folder, app, cache) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "bin"), { recursive: true });
  copyFileSync(join(filesFolder, "vedette.sh"), join(folder, "bin/vedette"));
  chmodSync(join(folder, "bin/vedette"), 0o755);
  cpSync(nodeFolder(ownNode, cache), join(folder, "node"), { recursive: true });
  cpSync(app, join(folder, "app"), { recursive: true });
  for (const name of ["README.md", "LICENSE"]) {
    rmSync(join(folder, "app", name));
    copyFileSync(join(root, name), join(folder, name));
  }
  copyFileSync(join(root, "docs/install.md"), join(folder, "install.md"));
}
