// Takes away what a running node never reads: sources, tests, maps, descriptions, and native modules of other systems.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const root = process.argv[2];
if (root === undefined || !existsSync(join(root, "packages/node/dist"))) {
  process.stderr.write("usage: node pruneImage.mjs <directory of a build>\n");
  process.exit(1);
}

const isMusl = existsSync("/etc/alpine-release");
const system = `${process.platform}-${process.arch}`;
const workspaces = ["contracts", ...readdirSync(join(root, "packages")).map((name) => `packages/${name}`)];

// The testing package is for development only, but the others' tests name it: node_modules keeps a link to it.
for (const workspace of workspaces) {
  for (const name of ["src", "tests", "test"]) rmSync(join(root, workspace, name), { recursive: true, force: true });
  prune(join(root, workspace, "dist"), ({ name }) =>
    /(\.d\.ts|\.map|\.test\.js|\.bench\.js|\.tsbuildinfo)$/.test(name),
  );
}
for (const name of ["dist/testing", "dist/bench"]) {
  for (const workspace of workspaces) rmSync(join(root, workspace, name), { recursive: true, force: true });
}
prune(join(root, "node_modules"), (entry, folder) => {
  if (entry.isDirectory()) {
    const isOtherSystem = folder.endsWith("/prebuilds") && entry.name !== system;
    return (
      isOtherSystem || ["test", "tests", "__tests__", "example", "examples", ".github", "docs"].includes(entry.name)
    );
  }
  if (/\.node$/.test(entry.name)) return entry.name.includes(isMusl ? "glibc" : "musl");
  return /(\.d\.[cm]?ts|\.map|\.md|\.markdown|\.c|\.cc|\.cpp|\.h|\.gyp|\.ts)$/i.test(entry.name);
});

/** Removes the entries of a tree that are not wanted. */
function prune(folder, isUnwanted) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) continue;
    if (isUnwanted(entry, folder)) rmSync(path, { recursive: true });
    else if (entry.isDirectory()) prune(path, isUnwanted);
  }
}
